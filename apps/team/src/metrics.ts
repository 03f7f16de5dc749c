/** Counters for Prometheus. They name no tenant, machine or person. */
export interface Metrics {
  request(route: string, status: number, seconds: number): void;
  ingested(sums: { readonly stored: number; readonly replayed: number; readonly dropped: number }): void;
  text(gauges: Readonly<Record<string, number>>): string;
}

export function createMetrics(): Metrics {
  const requests = new Map<string, { count: number; seconds: number }>();
  const records = { stored: 0, replayed: 0, dropped: 0 };
  return {
    request(route, status, seconds) {
      const key = `route="${route}",status="${status}"`;
      const before = requests.get(key) ?? { count: 0, seconds: 0 };
      requests.set(key, { count: before.count + 1, seconds: before.seconds + seconds });
    },
    ingested(sums) {
      for (const name of ['stored', 'replayed', 'dropped'] as const) records[name] += sums[name];
    },
    text: (gauges) =>
      [
        '# TYPE piton_team_requests_total counter',
        ...[...requests].map(([labels, { count }]) => `piton_team_requests_total{${labels}} ${count}`),
        '# TYPE piton_team_request_seconds_total counter',
        ...[...requests].map(([labels, { seconds }]) => `piton_team_request_seconds_total{${labels}} ${seconds.toFixed(6)}`),
        '# TYPE piton_team_records_total counter',
        ...Object.entries(records).map(([name, count]) => `piton_team_records_total{result="${name}"} ${count}`),
        ...Object.entries(gauges).flatMap(([name, value]) => [`# TYPE piton_team_${name} gauge`, `piton_team_${name} ${value}`]),
        '',
      ].join('\n'),
  };
}
