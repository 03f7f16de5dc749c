// Runs candidates in one interleaved run and counts.
import { execFileSync } from 'node:child_process';

export function quantile(values, part) {
  const sorted = [...values].sort((a, b) => a - b);
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * part))] ?? Number.NaN;
}

/** `candidates`: { name, argv, input (a file) }. Each run: its name, when it was spawned and how long it took, in nanoseconds. */
export function interleaved([spawner, ...before], candidates, { rounds, warmUps, seed, env, cwd }) {
  const spec = candidates.map(({ name, argv, input }) => [name, input, ...argv].join('\t')).join('\n');
  const options = { input: `${spec}\n`, env, cwd, maxBuffer: 1 << 28, encoding: 'utf8' };
  return execFileSync(spawner, [...before, ...[rounds, warmUps, seed].map(String)], options)
    .trim()
    .split('\n')
    .map((line) => {
      const [name, took, began] = line.split('\t');
      return { name, took: Number(took), began: Number(began) };
    });
}

/** Gives name → { median, p95 } in milliseconds. */
export function sideBySide(spawner, candidates, { rounds, seed, env, cwd }) {
  const warmUps = Math.max(3, Math.ceil(rounds / 20));
  const times = new Map(candidates.map(({ name }) => [name, []]));
  for (const { name, took } of interleaved([spawner], candidates, { rounds, warmUps, seed, env, cwd })) times.get(name).push(took / 1e6);
  return new Map([...times].map(([name, all]) => [name, { median: quantile(all, 0.5), p95: quantile(all, 0.95) }]));
}
