import { basename } from 'node:path';
import type { SearchHit } from '@piton/store';
import type { Context } from '../context.ts';
import { oneLine, shortLine, wrap } from '../output/text.ts';
import { formatTime } from '../output/time.ts';

export interface ListedHit {
  readonly hit: SearchHit;
  /** Of the event, or of the session if the answer is only in its transcript. */
  readonly shortId: string;
}

const PLACES: Readonly<Record<SearchHit['place'], string>> = {
  prompt: 'prompt',
  command: 'command',
  path: 'file',
  answer: 'answer',
  text: 'report',
};

const INDENT = '  ';
const MOST_ROWS = 3;

/** Two parts for each hit: where it is, and what stands there. */
export function describeHits(context: Context, hits: readonly ListedHit[]): string {
  return hits.map((listed) => `${headOf(context, listed)}\n${bodyOf(context, listed.hit)}\n`).join('\n');
}

function headOf(context: Context, { hit, shortId }: ListedHit): string {
  const place = `${basename(hit.repo ?? hit.projectPath)}${hit.branch === null ? '' : ` (${hit.branch})`}`;
  const id = hit.event === null ? `session ${shortId}` : shortId;
  const fixed = [formatTime(hit.wallUs / 1000), hit.agent, PLACES[hit.place], id].map(oneLine);
  const used = fixed.reduce((sum, part) => sum + part.length + 2, 0);
  const room = Math.max(8, context.width - used);
  const [time, agent, kind, shown] = fixed as [string, string, string, string];
  return [time, context.paint('bold', agent), kind, context.paint('dim', shown), context.paint('dim', shortLine(place, room))].join('  ');
}

/** The marks of the store become bold. Rows are cut before they are painted: a colour must not break in two. */
function bodyOf(context: Context, { excerpt }: SearchHit): string {
  const rows = wrap(oneLine(excerpt), Math.max(20, context.width - INDENT.length));
  const shown = rows.length > MOST_ROWS ? [...rows.slice(0, MOST_ROWS - 1), `${rows[MOST_ROWS - 1]}…`] : rows;
  let open = false;
  return shown
    .map((row) => {
      let line = '';
      for (const part of row.split(/([⟦⟧])/)) {
        if (part === '⟦') open = true;
        else if (part === '⟧') open = false;
        else line += open ? context.paint('yellow', part) : part;
      }
      return `${INDENT}${line}`;
    })
    .join('\n');
}
