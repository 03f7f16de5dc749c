import type { Waiting } from '@piton/contracts/page';
import type { Context } from '../context.ts';
import { oneLine } from '../output/text.ts';
import { formatAge } from '../output/time.ts';

/** Who waits for the person, for what, since when. */
export function waitingLines(context: Context, waiting: readonly Waiting[]): string[] {
  return waiting.map((wait) => {
    const what = oneLine(wait.what ?? wait.message ?? '');
    const asks =
      wait.for === 'answer' ? 'waits for your answer' : `waits for your permission${wait.tool === null ? '' : ` (${wait.tool})`}`;
    const where = `in ${wait.root ?? wait.directory}, for ${formatAge(Date.now() - wait.since)}`;
    return `${context.paint('yellow', '!')} ${wait.agent.padEnd(8)} ${asks}, ${where}${what === '' ? '' : `: ${what}`}`;
  });
}
