import { readdirSync, readFileSync } from 'node:fs';
import { setTimeout as pause } from 'node:timers/promises';

const LOOK_EVERY_MS = 20;
/** Longer than any agent lets a hook run. */
const LIMIT_MS = 90_000;

/** Waits until no process has this word as an argument: the hooks of an event that an agent starts and does not wait for. */
export async function noneWith(word: string): Promise<void> {
  const until = Date.now() + LIMIT_MS;
  while (isThere(word) && Date.now() < until) await pause(LOOK_EVERY_MS);
}

const isThere = (word: string): boolean =>
  readdirSync('/proc').some((pid) => /^\d+$/.test(pid) && argumentsOf(pid).some((argument) => argument.split(/[\s'"]/).includes(word)));

function argumentsOf(pid: string): readonly string[] {
  try {
    return readFileSync(`/proc/${pid}/cmdline`, 'utf8').split('\0');
  } catch {
    return []; // it has ended meanwhile
  }
}
