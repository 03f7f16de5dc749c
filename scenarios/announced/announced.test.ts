import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { type Sandbox, sandbox } from '../first-day/sandbox.ts';
import { type Announced, broken } from './announcement.ts';
import { CHANGE_NOTHING, LOOKS } from './no-rows.ts';
import { ROWS, withCheckpoints } from './rows.ts';
import { changedRefs, differences, takeSnapshot } from './snapshot.ts';

let box: Sandbox;
beforeEach(() => {
  box = sandbox();
});
afterEach(() => box.end());

const isPitons = (path: string): boolean => path === box.state || path.startsWith(`${box.state}/`);

describe('announced before, reversible after', () => {
  for (const row of ROWS) {
    it(`piton ${row.name}`, async () => {
      const cwd = await row.prepare(box);
      await box.piton(['server', 'stop'], { cwd });
      const before = takeSnapshot(box.home);
      const { changes } = await box.json<{ changes: Announced[] }>([...row.command, '--dry-run'], { cwd });
      expect(differencesOf(before), 'the dry run changed something').toEqual([]);
      const said = await box.piton([...row.command, ...(row.yes ?? ['--yes'])], { cwd });
      expect(said).toMatchObject({ code: 0 });
      const after = takeSnapshot(box.home);
      const found = differences(before, after);
      expect(found.length, 'nothing changed at all').toBeGreaterThan(0);
      expect(broken(changes, found, changedRefs(before, after))).toEqual([]);
      if (typeof row.undo === 'string') return;
      for (const undo of row.undo) expect(await box.piton(undo, { cwd })).toMatchObject({ code: 0 });
      expect(differencesOf(before)).toEqual([]);
      expect(changedRefs(before, takeSnapshot(box.home))).toEqual([]);
    });
  }
});

it('what only looks changes nothing, neither a file nor a mode nor a ref', async () => {
  const cwd = await withCheckpoints(box);
  const settled = async (): Promise<void> => void (await box.piton(['server', 'stop'], { cwd }));
  await settled();
  const before = takeSnapshot(box.home);
  const failed: string[] = [];
  for (const words of LOOKS) {
    const { code, stderr } = await box.piton(words, { cwd, input: 'a text\n' });
    if (code !== 0) failed.push(`${words.join(' ')}: ${stderr}`);
  }
  const page = box.start(['ui', '--no-open'], { cwd });
  const ended = new Promise((done) => page.on('exit', done));
  await new Promise((done) => page.stdout?.once('data', done));
  page.kill('SIGINT');
  await ended;
  await settled();
  expect(failed).toEqual([]);
  expect(differencesOf(before)).toEqual([]);
  expect(changedRefs(before, takeSnapshot(box.home))).toEqual([]);
});

it('every command of the reference has a row, or a reason to have none', () => {
  const page = readFileSync(join(import.meta.dirname, '../../docs/cli.md'), 'utf8');
  const commands = [...page.matchAll(/^##+ `(piton [^`]+)`$/gm)].map(([, name = '']) => name);
  const isParent = (name: string): boolean => commands.some((other) => other.startsWith(`${name} `));
  const isKnown = (name: string): boolean =>
    ROWS.some(({ command }) => `piton ${command.join(' ')}`.startsWith(name)) ||
    Object.keys(CHANGE_NOTHING).some((each) => name === each || name.startsWith(`${each} `));
  expect(commands.length).toBeGreaterThan(30);
  expect(commands.filter((name) => !isKnown(name) && !isParent(name))).toEqual([]);
  expect(Object.keys(CHANGE_NOTHING).filter((name) => !commands.includes(name))).toEqual([]);
});

/** Outside Piton's own directory. */
const differencesOf = (before: ReturnType<typeof takeSnapshot>): string[] =>
  differences(before, takeSnapshot(box.home))
    .map(({ path }) => path)
    .filter((path) => !isPitons(path) && !isParentOfPitons(path));

const isParentOfPitons = (path: string): boolean => box.state.startsWith(`${path}/`);
