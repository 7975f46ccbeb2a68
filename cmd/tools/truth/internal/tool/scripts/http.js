import http from 'k6/http';
import { check } from 'k6';
export { options, handleSummary } from './fixed.js';

export default function () {
  const r = __ENV.BODY ? http.post(__ENV.URL, __ENV.BODY) : http.get(__ENV.URL);
  check(r, { right: (r) => r.status === 200 && r.body === 'ok\n' });
}
