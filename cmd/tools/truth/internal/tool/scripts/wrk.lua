-- wrk prints no p95, and no count of errors when there are none.
done = function(summary, latency)
  local e = summary.errors
  io.write(string.format(
    '{"p50": %d, "p95": %d, "p99": %d, "max": %d, "requests": %d, "status": %d, "lost": %d}\n',
    latency:percentile(50), latency:percentile(95), latency:percentile(99), latency.max,
    summary.requests, e.status, e.connect + e.read + e.write + e.timeout))
end
