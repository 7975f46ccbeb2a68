import grpc from 'k6/net/grpc';
import { check } from 'k6';

const client = new grpc.Client();
client.load(['.'], 'health.proto');

export const options = {
  scenarios: {
    fixed: {
      executor: 'constant-arrival-rate',
      rate: Number(__ENV.RATE),
      timeUnit: '1s',
      duration: __ENV.DURATION,
      preAllocatedVUs: Number(__ENV.VUS),
    },
  },
  summaryTrendStats: ['med', 'p(95)', 'p(99)', 'max'],
};

export default function () {
  if (__ITER === 0) {
    client.connect(__ENV.ADDRESS, { plaintext: true });
  }
  const r = client.invoke('grpc.health.v1.Health/Check', {});
  check(r, { right: (r) => r.status === grpc.StatusOK && r.message.status === 'SERVING' });
}

export function handleSummary(data) {
  return { stdout: JSON.stringify(data.metrics) };
}
