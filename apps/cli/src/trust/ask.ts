import { shellWord } from '@piton/contracts';
import type { Context } from '../context.ts';
import { showPaged } from '../output/pager.ts';
import { plural } from '../output/text.ts';
import { consent } from '../question.ts';
import type { ProjectHook } from './pending.ts';
import { reviewOf } from './review.ts';

/** Shows one hook, and asks. Whoever trusts it by its hash trusts the bytes that were shown. */
export async function askAbout(context: Context, { hook }: ProjectHook, shown: Map<string, string>): Promise<boolean> {
  const { text, head, cut } = reviewOf(context, hook, { shown });
  if (context.interactive) {
    const paged = await showPaged(context, `${text}\n`);
    // Some pagers clear the screen when they end.
    if (paged) context.out(`${head}\n`);
  }
  const question = cut.length === 0 ? 'Trust it?' : `Trust it, with ${plural(cut.length, 'file')} not shown whole?`;
  return consent(context, { question, yes: false, command: `piton trust ${shellWord(hook.id)}` });
}
