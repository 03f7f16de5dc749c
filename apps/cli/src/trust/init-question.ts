import type { Places } from '@piton/contracts/places';
import { evidenceOfAgent } from '../agents/under-agent.ts';
import { withCommandName } from '../command-name.ts';
import { type Context, printLine } from '../context.ts';
import { plural } from '../output/text.ts';
import { visibleText } from '../output/visible-text.ts';
import { askAbout } from './ask.ts';
import { grant } from './grant.ts';
import { isPending, projectHooks } from './pending.ts';

/** Part of `init`: asks about hooks that are already in this project. `--yes` never trusts: nobody has reviewed them. */
export async function askToTrust(context: Context, places: Places, yes: boolean): Promise<void> {
  const pending = projectHooks(context, places).filter(isPending);
  if (pending.length === 0) return;
  const changed = pending.filter(({ hook }) => hook.trusted === 'changed').length;
  const fresh = pending.length - changed;
  const parts = [
    ...(fresh > 0 ? [`${plural(fresh, 'hook')} of this project ${fresh === 1 ? 'is' : 'are'} not trusted, so not run`] : []),
    ...(changed > 0
      ? [
          `${plural(changed, 'hook')} of this project changed since ${changed === 1 ? 'it was' : 'they were'} trusted; the trusted copy runs`,
        ]
      : []),
  ];
  printLine(context, `\n${parts.join('. ')}:`);
  if (yes || !context.interactive || evidenceOfAgent(context.env)) {
    for (const { hook } of pending) printLine(context, `  ${visibleText(hook.id)}`);
    return printLine(context, withCommandName(context, 'Review them: piton trust'));
  }
  const shown = new Map<string, string>();
  for (const each of pending) {
    printLine(context);
    if (!(await askAbout(context, each, shown))) continue;
    const { refused } = await grant(places, [each], []);
    for (const { id, why } of refused)
      context.err(`${context.paint('red', '✗')} ${visibleText(id)} was not trusted: ${visibleText(why)}\n`);
  }
}
