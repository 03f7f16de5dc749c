import { homedir } from 'node:os';
import type { CanonicalEvent, Tool } from '@piton/contracts';
import { isReadOnly } from '@piton/shell';
import type { CallInfo } from '../messages.ts';

/** Events that tell that a call is over, or will not come. */
export const ENDS_CALL: ReadonlySet<string> = new Set(['post_tool_use', 'post_tool_use_failure', 'permission_denied']);

/** Tools that change nothing. */
const HARMLESS: ReadonlySet<string> = new Set(['read', 'todo', 'web']);

/** A tool that changes nothing, or a command of which that can be proved. */
export function isHarmless({ cwd }: Pick<CanonicalEvent, 'cwd'>, { kind, command }: Tool): boolean {
  if (HARMLESS.has(kind)) return true;
  return kind === 'shell' && command !== undefined && isReadOnly(command, { cwd, home: homedir() });
}

/** An edit that says which files it changes. Any other call may change anything. */
export const namesItsFiles = ({ kind, files }: Tool): boolean => kind === 'edit' && files.length > 0;

/** For the log of calls: more of a command than fits a line is not needed. */
export const callInfo = (stamp: string, { name, command, files }: Tool): CallInfo => ({
  ...{ stamp, tool: name },
  what: (command ?? files.join(', ')).slice(0, 2000),
});
