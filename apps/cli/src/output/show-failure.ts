import { spelled } from '../command-name.ts';
import type { Context } from '../context.ts';
import type { Failure } from '../failure.ts';

/** What is wrong, where, and what to do. */
export function showFailure(context: Context, { message, where, remedy }: Failure): void {
  context.err(`${context.paint('red', 'error')}: ${message}\n`);
  if (where) context.err(`  where: ${where}\n`);
  if (remedy) context.err(`  what to do: ${spelled(context, remedy)}\n`);
}
