// Where the time of a checkpoint goes: starting processes, what each git does, and our own work.
import { quantile } from './side-by-side.mjs';

const median = (values) => quantile(values, 0.5);
const commandOf = (args) => args.find((arg) => arg !== '-c' && !arg.includes('='));

/** The same git, and a meter of it. Those that run side by side count twice, so what is left for ourselves is the least. */
export function meteredGit(port) {
  let now = {};
  const sides = new Map();
  const add = (part, took) => {
    now[part] = (now[part] ?? 0) + took;
  };
  const metered = (git) => async (args, options) => {
    const from = performance.now();
    const running = git(args, options);
    const started = performance.now();
    add('starting processes', started - from);
    const result = await running;
    add(commandOf(args), performance.now() - started);
    return result;
  };
  const meter = {
    begin: () => {
      now = {};
    },
    end: (name, took) => {
      const accounted = Object.values(now).reduce((sum, part) => sum + part, 0);
      sides.set(name, [...(sides.get(name) ?? []), { ...now, 'our own': Math.max(0, took - accounted) }]);
    },
    /** Of each side the medians of its parts; what only some rounds have, such as a merge of packs, is left out. */
    parts: () =>
      [...sides].map(([name, rounds]) => {
        const usual = Object.keys(rounds[0] ?? {}).filter((part) => rounds.filter((round) => part in round).length > rounds.length / 2);
        return { name, parts: usual.map((part) => ({ part, median: median(rounds.map((round) => round[part] ?? 0)) })) };
      }),
  };
  const git = { ask: metered(port.ask), within: (layout, directory) => metered(port.within(layout, directory)) };
  return { git, meter };
}
