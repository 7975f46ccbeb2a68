import http from 'k6/http';
import { check } from 'k6';

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
  const r = __ENV.BODY ? http.post(__ENV.URL, __ENV.BODY) : http.get(__ENV.URL);
  check(r, { right: (r) => r.status === 200 && r.body === 'ok\n' });
}

export function handleSummary(data) {
  return { stdout: JSON.stringify(data.metrics) };
}
