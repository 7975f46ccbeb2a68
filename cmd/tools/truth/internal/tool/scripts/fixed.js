// What both protocols have in common: a fixed rate, and a report in JSON.
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

export function handleSummary(data) {
  return { stdout: JSON.stringify(data.metrics) };
}
