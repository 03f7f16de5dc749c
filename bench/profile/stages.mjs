// Which stage of an event took how long: what the forwarder and the server noted of each run, put in one line.
import { readFileSync } from 'node:fs';

/** As `stamps.c` writes them. */
const STAMPS = ['started', 'connected', 'sent', 'answered', 'printed', 'exiting'];

/** Each stage, and what ends it. The first begins when the agent spawns the forwarder; the last ends when the agent has reaped it. */
export const STAGES = [
  ['forwarder: from its spawn to its first line', 'started'],
  ['forwarder: its places, its socket, connect', 'connected'],
  ['forwarder: reads the payload, writes the frame', 'sent'],
  ['server: wakes', 'woken'],
  ['server: takes the frame apart', 'frame'],
  ['server: journal', 'journalled'],
  ['server: decodes the payload', 'decoded'],
  ['server: finds hooks, matches', 'planned'],
  ['server: runs the guard, reduces', 'hooks'],
  ['server: encodes the answer', 'encoded'],
  ['server: checkpoints asked, notices', 'answering'],
  ['server: writes', 'written'],
  ['forwarder: wakes', 'answered'],
  ['forwarder: prints the answer', 'printed'],
  ['forwarder: to its exit', 'exiting'],
  ['exit, and the agent reaps it', 'reaped'],
];

/** What the server does when the agent has its answer. */
export const AFTERWARDS = [
  ['journal of the outcome', 'outcome'],
  ['checkpoints, versions, subscribers', 'done'],
];

export function readStamps(file) {
  const bytes = readFileSync(file);
  const numbers = new BigUint64Array(bytes.buffer.slice(bytes.byteOffset, bytes.byteOffset + bytes.length));
  return Array.from({ length: numbers.length / STAMPS.length }, (_, run) =>
    Object.fromEntries(STAMPS.map((name, at) => [name, Number(numbers[run * STAMPS.length + at])])),
  );
}

/** Each run with all that was noted between its spawn and its end. Runs come one after the other, so the time tells whose a note is. */
export function joined(runs, stamps, notes) {
  return runs.map(({ began, took }) => {
    const reaped = began + took;
    const own = stamps.find(({ started }) => started >= began && started <= reaped);
    if (own === undefined) throw new Error('profile: a run of the forwarder left no stamps');
    // The server may wake before the forwarder knows that its write is done; what comes after the answer may come after the end.
    const woken = notes.findIndex(({ mark, at }) => mark === 'woken' && at >= own.connected && at <= reaped);
    const of = notes.slice(woken, notes.findIndex(({ mark }, at) => at > woken && mark === 'woken') >>> 0);
    const noted = Object.fromEntries(of.map(({ mark, at }) => [mark, at]));
    return { began, ...own, ...noted, reaped };
  });
}

/** Milliseconds of each stage in each run. A stage that ended before the one ahead of it took no time of its own. */
export function stagesOf(run, stages = STAGES, from = run.began) {
  let before = from;
  return stages.map(([, end]) => {
    const took = Math.max(0, run[end] - before) / 1e6;
    before = Math.max(before, run[end]);
    return took;
  });
}
