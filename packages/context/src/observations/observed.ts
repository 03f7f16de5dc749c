import { relative } from 'node:path';
import type { LedgerRow } from '@piton/store';

type CommandRow = Extract<LedgerRow, { kind: 'command' }>;

/** What was learnt from a run of a command. `key` says what it is about: the same again replaces it. */
export type Observed =
  /** A test, build or lint that works here; `holds` is false once it has failed. */
  | { readonly kind: 'works'; readonly key: string; readonly holds: boolean; readonly body: WorksBody; readonly at: CommandRow }
  /** A command that failed, and what was done until it succeeded. */
  | { readonly kind: 'fix'; readonly key: string; readonly holds: true; readonly body: FixBody; readonly at: CommandRow };

export interface WorksBody {
  readonly command: string;
  readonly purpose: string;
  readonly cwd: string;
  /** The event that shows it. */
  readonly eventId: string;
}
export interface FixBody {
  readonly command: string;
  readonly error: string;
  readonly fixedBy: string;
  /** The failure, what fixed it, and the success. */
  readonly events: readonly string[];
}

const MOST_FILES = 3;

/**
 * The rules. `rows` are those of one session, newest first; only what the newest command shows is new.
 * - works: a command with a purpose, whose own exit code was 0.
 * - fix: the same command had failed in this session, and between the two a file was written or another command succeeded.
 */
export function observedIn(rows: readonly LedgerRow[], eventId: string, place: string): readonly Observed[] {
  const at = rows.findIndex((row) => row.eventId === eventId && row.kind === 'command');
  const row = rows[at];
  if (row?.kind !== 'command' || row.purpose === null || row.ok === null) return [];
  const works: Observed = {
    kind: 'works',
    key: `${place}\0${row.cwd}\0${row.command}`,
    holds: row.ok,
    body: { command: row.command, purpose: row.purpose, cwd: relative(place, row.cwd), eventId },
    at: row,
  };
  const fix = row.ok ? fixIn(rows.slice(at + 1), row, place) : undefined;
  return fix === undefined ? [works] : [works, fix];
}

function fixIn(earlier: readonly LedgerRow[], now: CommandRow, place: string): Observed | undefined {
  const same = earlier.findIndex((row) => row.kind === 'command' && row.command === now.command && row.cwd === now.cwd);
  const failed = earlier[same];
  if (failed?.kind !== 'command' || failed.ok !== false || failed.detail === null) return undefined;
  const between = earlier.slice(0, same);
  const files = [...new Set(between.flatMap((row) => (row.kind === 'file' ? [relative(place, row.path)] : [])))];
  const command = between.find((row) => row.kind === 'command' && row.ok === true && row.purpose === null && row.command !== now.command);
  const by = between.find((row) => row.kind === 'file') ?? command;
  // Nothing was done: it passed by itself.
  if (by === undefined) return undefined;
  const changed =
    files.length > 0
      ? `changes in ${files.slice(0, MOST_FILES).join(', ')}${files.length > MOST_FILES ? ` and ${files.length - MOST_FILES} more` : ''}`
      : undefined;
  return {
    kind: 'fix',
    key: `${place}\0${now.cwd}\0${now.command}\0${failed.detail}`,
    holds: true,
    body: {
      command: now.command,
      error: failed.detail,
      fixedBy: changed ?? (command?.kind === 'command' ? command.command : ''),
      events: [failed.eventId, by.eventId, now.eventId],
    },
    at: now,
  };
}
