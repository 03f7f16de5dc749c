import { mkdirSync, renameSync, unlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { encodeFrame, MAGIC } from '@piton/contracts';
import type { Call } from './call.ts';

/** The frame as a file of our own, when no server has said that it holds it. */
export function writeJournal(call: Call): void {
  const { journal } = call.places;
  const name = `${call.frame.stamp}.${process.pid}`;
  const made = join(journal, `.${name}.tmp`);
  try {
    mkdirSync(journal, { recursive: true, mode: 0o700 });
    writeFileSync(made, Buffer.concat([MAGIC, encodeFrame(call.frame)]), { mode: 0o600 });
    renameSync(made, join(journal, `${name}.frame`));
    call.journalFile = join(journal, `${name}.frame`);
  } catch {
    removeQuietly(made); // a full disk costs the record, not the agent
  }
}

export function removeJournal(call: Pick<Call, 'journalFile'>): void {
  if (call.journalFile !== null) removeQuietly(call.journalFile); // or a server has claimed it
  call.journalFile = null;
}

/** For the server that will read the frame: the agent was told the deny that lies ready for it. */
export function markDenied({ journalFile }: Call): void {
  if (journalFile === null) return;
  try {
    writeFileSync(`${journalFile}.denied`, '', { mode: 0o600 });
  } catch {
    // then it is recorded as an event that nobody answered
  }
}

function removeQuietly(path: string): void {
  try {
    unlinkSync(path);
  } catch {
    // not there
  }
}
