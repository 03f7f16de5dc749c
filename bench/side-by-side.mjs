// Runs candidates in one interleaved run and counts.
import { execFileSync } from 'node:child_process';

export function quantile(values, part) {
  const sorted = [...values].sort((a, b) => a - b);
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * part))] ?? Number.NaN;
}

/** `candidates`: { name, argv, input (a file) }. Gives name → { median, p95 } in milliseconds. */
export function sideBySide(spawner, candidates, { rounds, seed, env, cwd }) {
  const spec = candidates.map(({ name, argv, input }) => [name, input, ...argv].join('\t')).join('\n');
  const warmUps = Math.max(3, Math.ceil(rounds / 20));
  const output = execFileSync(spawner, [rounds, warmUps, seed].map(String), {
    input: `${spec}\n`,
    env,
    cwd,
    maxBuffer: 1 << 28,
    encoding: 'utf8',
  });
  const times = new Map(candidates.map(({ name }) => [name, []]));
  for (const line of output.trim().split('\n')) {
    const [name, ns] = line.split('\t');
    times.get(name).push(Number(ns) / 1e6);
  }
  return new Map([...times].map(([name, all]) => [name, { median: quantile(all, 0.5), p95: quantile(all, 0.95) }]));
}
