import { join } from 'node:path';
import type { CallInfo } from '../turns/messages.ts';

/**
 * A call that ran, or that ended, while no server answered, as the stand-in leaves it for the next one: `<home>/kept/<stamp>-<n>/`, one folder a
 * working tree, with `call.json` and the files that the call named, by their number.
 */
export interface KeptCall extends CallInfo {
  readonly session: string;
  readonly agent: string;
  /** The working tree. */
  readonly root: string;
  readonly atMs: number;
  readonly files: readonly KeptFile[];
  /** By which its end is known. Absent in what older versions kept. */
  readonly key?: string;
  /** It ended: the files are as it left them. */
  readonly isEnd?: true;
  /** Why nothing was kept; absent where it was. */
  readonly noWayBack?: string;
  /** The person was told so. */
  readonly told?: true;
}

/** A file as it was: `content` names the copy; a link says where it leads, in base64, since not every name is UTF-8. */
export type KeptFile =
  | { readonly path: string; readonly kind: 'absent' }
  | { readonly path: string; readonly kind: 'file'; readonly content: string; readonly executable: boolean }
  | { readonly path: string; readonly kind: 'symlink'; readonly target: string };

export const keptFolder = (home: string): string => join(home, 'kept');
export const CALL_FILE = 'call.json';
export const NO_ANSWER = 'the server did not answer in time';

/** What the person reads. Null: of a whole turn. */
export const noWayBackText = (tool: string | null, why: string): string =>
  tool === null
    ? `Piton: no way back before this turn: ${why}. To list what can be restored: piton rewind --calls`
    : `Piton: no way back before this call (${tool}): ${why}. piton rewind cannot undo what it changes.`;
