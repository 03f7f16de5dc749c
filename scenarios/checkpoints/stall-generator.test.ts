import { setTimeout as sleep } from 'node:timers/promises';
import { eventually, seededRandom } from '@piton/testing';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { agent, authors, checkpoints, closeTree, freeze, listedCalls, openTree, piton, read, write } from './agent-tree.ts';

/**
 * A turn during which the server stands still, from before one of its events until after a later one, for as long as no forwarder waits any
 * more or for some tenths of a second. The truth is kept here.
 */
const given = process.env['PITON_TORTURE_SEED'];
const isCi = Boolean(process.env['CI']);
const RUNS = Number(process.env['PITON_TORTURE_RUNS'] ?? (isCi ? 10 : 4));
/** One stall of a CI run is long. Elsewhere all are short, unless somebody names the seed. */
const LONG_MS = 10_000;
const first = given === undefined ? Math.floor(Math.random() * 1_000_000) : Number(given);
const again = (seed: number): string =>
  `PITON_TORTURE_SEED=${seed} PITON_TORTURE_RUNS=1 npx vitest run scenarios/checkpoints/stall-generator.test.ts`;

beforeEach(() => void openTree({ 'a.txt': 'a\n', 'b.txt': 'b\n' }));
afterEach(closeTree);

/** By which it can be told afterwards what went wrong. */
const known = (): string =>
  [
    ...checkpoints().map(({ id, kind, by, session, name, files }) => [id, kind, by, session, name, files?.join(' ')].join(' | ')),
    ...listedCalls().map(({ id, tool, what, wayBack, why }) => [id, tool, what, wayBack, why].join(' | ')),
  ].join('\n');

const EVENTS = 5;
const CALL_END = 3;

it.each(Array.from({ length: RUNS }, (_, run) => first + run))(
  'nobody is told a false author after a stall, seed %d',
  { timeout: 600_000 },
  async (seed) => {
    const { below: random } = seededRandom(seed);
    const kind = (['edit', 'command'] as const)[random(2)];
    const from = random(EVENTS);
    const until = from + random(EVENTS - from);
    const isLongest = isCi && given === undefined && seed === first;
    const isShort = random(3) === 0 && !isLongest;
    // From a tenth of a second to thirty, each order of them as often as another; beyond a second only where somebody has the time.
    const anyMs = 100 * 300 ** (random(1000) / 1000);
    const stallMs = isLongest ? LONG_MS + (anyMs * 2) / 3 : anyMs;
    const person = random(EVENTS + 1);
    // Beside the call, or in the very file that it names, once it is over.
    const isSameFile = kind === 'edit' && person > CALL_END && random(2) === 0;
    const story = `${kind}, stalls ${isShort ? 'shortly ' : ''}from event ${from} until ${until}, the person writes ${isSameFile ? 'in its file ' : ''}before ${person}, for ${Math.round(stallMs)} ms; ${again(seed)}`;
    const one = agent('s1');
    await one.prompt('first');
    await one.write('b.txt', 'b\nfirst\n');
    await one.stop();
    write('a.txt', 'a\nmine, before\n');
    let call: Awaited<ReturnType<typeof one.begin>> | undefined;
    const events: readonly (() => Promise<unknown>)[] = [
      () => one.prompt('second'),
      async () => {
        const content = `${read('a.txt')}by the agent\n`;
        call = await (kind === 'edit' ? one.beginWrite('a.txt', content) : one.begin('Bash', { command: 'make everything' }));
      },
      async () => write(kind === 'edit' ? 'a.txt' : 'made.txt', `${kind === 'edit' ? read('a.txt') : ''}by the agent\n`),
      async () => call?.end(),
      () => one.stop(),
    ];
    const personWrites = (): void => (isSameFile ? write('a.txt', `${read('a.txt')}mine, beside\n`) : write('mine.txt', 'mine, beside\n'));
    let frozen: ReturnType<typeof freeze> | undefined;
    for (const [at, fire] of events.entries()) {
      if (at === from) frozen = freeze();
      if (at === from && !isShort) await frozen?.silent();
      if (at === from && isShort) setTimeout(() => frozen?.thaw(), 100 + random(400));
      if (at === person) personWrites();
      await fire();
      if (at === until && !isShort && (given !== undefined || isLongest)) await sleep(stallMs);
      if (at === until && !isShort) frozen?.thaw();
    }
    if (person === EVENTS) personWrites();
    let found = new Map<string, string>();
    const isRight = (): boolean => {
      found = new Map(
        [...authors('a.txt'), ...(isSameFile ? [] : authors('mine.txt')), ...(read('made.txt') === null ? [] : authors('made.txt'))].map(
          ([by, text]) => [text, by],
        ),
      );
      const may = (text: string, ...allowed: string[]): boolean => allowed.includes(found.get(text) ?? '');
      const isEdit = kind === 'edit';
      return (
        may('by the agent', ...(isEdit ? ['s1'] : ['shared'])) &&
        may('mine, before', 'human', 'shared') &&
        may('mine, beside', 'human', 'shared')
      );
    };
    const expectRight = async (): Promise<void> => {
      const isFound = await eventually(isRight);
      expect(isFound, isFound ? story : `${story}; found: ${[...found].map(([text, by]) => `${text}: ${by}`).join(', ')}\n${known()}`).toBe(
        true,
      );
    };
    await expectRight();
    await one.prompt('third');
    await expectRight();
    // Bytes that were there before the edit come back, or the rewind says that they do not.
    if (kind === 'edit' && !isSameFile) {
      const calls = JSON.parse(piton('rewind', '--calls', '--json').stdout) as { id: string; tool: string; what: string }[];
      const edit = calls.find(({ tool, what }) => tool === 'Write' && what.endsWith('a.txt'));
      expect(piton('rewind', edit?.id ?? '', '--yes').status, story).toBe(0);
      expect(read('a.txt'), story).toBe('a\nmine, before\n');
    }
  },
);
