import { emitKeypressEvents } from 'node:readline';
import { createInterface } from 'node:readline/promises';
import { type Context, printLine } from '../context.ts';
import { Interrupted } from '../interruption.ts';
import { safeText } from '../output/safe-text.ts';
import { truncate, widthOf } from '../output/text.ts';
import { type Item, type Key, parsePicks, press, type Selection } from './state.ts';

/** Which of these, or undefined if the person leaves. Ctrl-C ends the command. Only for a terminal. */
export async function askSelection<Id extends string>(
  context: Context,
  title: string,
  items: readonly Item<Id>[],
): Promise<readonly Id[] | undefined> {
  const hasKeys = context.env.TERM !== 'dumb' && typeof process.stdin.setRawMode === 'function';
  return hasKeys ? askWithKeys(context, title, items) : askWithLines(context, title, items);
}

const KEYS: Readonly<Record<string, Key>> = {
  up: 'up',
  k: 'up',
  down: 'down',
  j: 'down',
  tab: 'down',
  space: 'toggle',
  x: 'toggle',
  a: 'all',
};

async function askWithKeys<Id extends string>(
  context: Context,
  title: string,
  items: readonly Item<Id>[],
): Promise<readonly Id[] | undefined> {
  printLine(context, `${title} ${context.paint('dim', 'Arrows move, Space selects, Enter continues.')}`);
  let selection: Selection<Id> = { items, at: 0 };
  const { stdin, stdout } = process;
  const draw = (): void => context.out(`${rows(context, selection).join('\n')}\n`);
  const erase = (): void => void stdout.write(`\u001b[${items.length}A\u001b[J`);
  draw();
  emitKeypressEvents(stdin);
  stdin.setRawMode(true);
  try {
    const picked = await new Promise<readonly Id[] | undefined>((resolve, reject) => {
      stdin.on('keypress', (text: string | undefined, { name, ctrl }: { name?: string; ctrl?: boolean }) => {
        if (ctrl && name === 'c') return reject(new Interrupted());
        if (name === 'escape' || text === 'q' || (ctrl && name === 'd')) return resolve(undefined);
        if (name === 'return' || name === 'enter') return resolve(selection.items.filter((item) => item.picked).map(({ id }) => id));
        const key = ctrl ? undefined : KEYS[name ?? text ?? ''];
        if (key === undefined) return;
        selection = press(selection, key);
        erase();
        draw();
      });
      stdin.once('end', () => resolve(undefined));
      stdin.resume();
    });
    return picked;
  } finally {
    stdin.removeAllListeners('keypress');
    stdin.setRawMode(false);
    stdin.pause();
  }
}

/** Cut to the width: a row that wraps could not be drawn over. */
function rows({ paint, width }: Context, { items, at }: Selection): string[] {
  const longest = Math.max(...items.map(({ title }) => widthOf(title)));
  return items.map(({ title, detail, picked }, index) => {
    const line = `${picked ? '[x]' : '[ ]'} ${title}${' '.repeat(longest - widthOf(title))}  ${detail}`;
    const cut = truncate(safeText(line, false).trimEnd(), width - 3);
    return index === at ? paint('bold', `> ${cut}`) : `  ${cut}`;
  });
}

/** A misspelt answer is asked again. Nobody is asked for ever. */
const MAX_QUESTIONS = 5;

async function askWithLines<Id extends string>(
  context: Context,
  title: string,
  items: readonly Item<Id>[],
): Promise<readonly Id[] | undefined> {
  printLine(context, title);
  for (const [index, { title: name, detail, picked }] of items.entries())
    printLine(context, `  ${index + 1}. ${picked ? '[x]' : '[ ]'} ${name}  ${detail}`.trimEnd());
  const reader = createInterface({ input: process.stdin, output: process.stdout });
  const closed = new Promise<undefined>((resolve) => reader.once('close', () => resolve(undefined)));
  const interrupted = new Promise<never>((_, reject) => reader.once('SIGINT', () => reject(new Interrupted())));
  interrupted.catch(() => {});
  try {
    for (let asked = 0; asked < MAX_QUESTIONS; asked++) {
      const question = 'Numbers or names, "all", "none", or Enter for those marked: ';
      const line = await Promise.race([reader.question(question), closed, interrupted]);
      if (line === undefined) return undefined;
      const picks = parsePicks(items, line);
      if ('picked' in picks) return picks.picked;
      printLine(context, `There is no ${JSON.stringify(picks.unknown)} in the list.`);
    }
    return undefined;
  } finally {
    reader.close();
  }
}
