import { withCommandName } from '../command-name.ts';
import type { Context } from '../context.ts';
import type { Failure } from '../failure.ts';

/** What is wrong, where, and how to fix it. Quoted text is indented, so that it cannot look like a line of ours. */
export function showFailure(context: Context, { message, where, remedy }: Failure): void {
  context.err(`${context.paint('red', 'error')}: ${within(message)}\n`);
  if (where) context.err(`  where: ${within(where)}\n`);
  if (remedy) context.err(`  fix: ${within(withCommandName(context, remedy))}\n`);
}

const within = (text: string): string => text.replaceAll('\n', '\n    ');
