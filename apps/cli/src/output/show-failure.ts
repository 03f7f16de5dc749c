import { withCommandName } from '../command-name.ts';
import type { Context } from '../context.ts';
import type { Failure } from '../failure.ts';
import { oneLine, truncate } from './text.ts';
import { wrapRemedy } from './wrap-remedy.ts';

/** What is wrong, where, and how to fix it. Quoted text is indented, so that it cannot look like a line of ours. */
export function showFailure(context: Context, { message, where, remedy, list }: Failure): void {
  context.err(`${context.paint('red', 'error')}: ${within(context, oneLine(message), 7)}\n`);
  if (where) context.err(`  where: ${within(context, oneLine(where), 9)}\n`);
  for (const each of list) context.err(`    ${truncate(oneLine(each), context.width - 4)}\n`);
  if (remedy) context.err(`  fix: ${within(context, oneLine(withCommandName(context, remedy)), 7)}\n`);
}

/** Something that the command goes on without. */
export function showWarning(context: Context, text: string): void {
  context.err(`${context.paint('yellow', 'warning')}: ${within(context, oneLine(withCommandName(context, text)), 9)}\n`);
}

const within = ({ width }: Context, text: string, used: number): string => wrapRemedy(text, { width, used, indent: '    ' });
