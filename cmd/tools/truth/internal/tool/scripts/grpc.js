import grpc from 'k6/net/grpc';
import { check } from 'k6';
export { options, handleSummary } from './fixed.js';

const client = new grpc.Client();
client.load(['.'], 'health.proto');

export default function () {
  if (__ITER === 0) {
    client.connect(__ENV.ADDRESS, { plaintext: true });
  }
  const r = client.invoke('grpc.health.v1.Health/Check', {});
  check(r, { right: (r) => r.status === grpc.StatusOK && r.message.status === 'SERVING' });
}
