import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { stripVTControlCharacters } from 'node:util';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { HAS_TERMINAL, Terminal } from '../trust-review/terminal.ts';
import { claude, fire } from './payloads.ts';
import { type Sandbox, sandbox } from './sandbox.ts';

/** Commands that change something, or take what no listing has; whatever else prints JSON is a listing. */
const NO_LISTINGS = [
  ...['init', 'uninstall', 'demo', 'import', 'materialize', 'lint', 'clean', 'trust', 'untrust', 'redact', 'rewind', 'resume', 'export'],
  ...['blame', 'explain', 'events show', 'events tail', 'sessions show', 'checkpoints show', 'checkpoints diff', 'checkpoints repair'],
  ...['hooks new', 'hooks remove', 'hooks test', 'hooks backtest', 'hooks promote', 'hooks record', 'hooks replay', 'server run'],
  ...[
    'handoff',
    'sessions ledger',
    'observations show',
    'observations delete',
    'mcp install',
    'mcp uninstall',
    'server start',
    'server stop',
    'server logs',
    'settings get',
    'settings set',
    'settings unset',
    'completion',
    'ui',
  ],
];
/** Listings that are an option of another command. */
const BY_OPTION = [
  'trust --list',
  'rewind --list',
  'rewind --calls',
  'events --all',
  'events --own',
  'events --denied',
  'clean --dry-run',
  '',
];

const LONG = `update the parser and its tests ${'so that nothing is lost '.repeat(200)}`;

let box: Sandbox;
let repository: string;
let listings: string[];
beforeAll(async () => {
  box = sandbox();
  mkdirSync(join(box.home, '.claude'));
  repository = box.repository('a-repository-with-a-rather-long-name');
  await box.piton(['init', '--yes'], { cwd: repository });
  const deny =
    '#!/bin/sh\ncase "$PITON_TOOL_COMMAND" in *forbidden*) echo "this is not done here, ask in the channel of the team first" >&2; exit 2 ;; esac\n';
  for (const name of ['10-a-guard-with-a-long-name-that-ends-with-one', '10-a-guard-with-a-long-name-that-ends-with-two'])
    box.write(join(repository, '.piton/hooks/pre-tool-use', name), deny, 0o755);
  box.write(join(box.config, 'hooks/post-tool-use/10-log'), '#!/bin/sh\nexit 3\n', 0o755);
  box.write(join(repository, '.piton/hooks/pre-tol-use/10-typo'), deny, 0o755);
  await box.piton(['trust', '--all', '--yes'], { cwd: repository });
  for (const payload of [
    claude.start('first', repository),
    claude.prompt('first', repository, LONG),
    claude.shell('first', repository, `echo ${'argument '.repeat(500)}`, 'toolu_1'),
    claude.shell('first', repository, 'cat forbidden', 'toolu_2'),
    claude.stop('first', repository),
  ])
    await fire(box, payload);
  const { stdout } = await box.piton(['reference']);
  const sections = stdout.split(/^##+ `piton /m).slice(1);
  const names = sections.filter((text) => text.includes('`--json`')).map((text) => text.slice(0, text.indexOf('`')));
  expect(NO_LISTINGS.filter((name) => !sections.some((text) => text.startsWith(`${name}\``)))).toEqual([]);
  listings = [...names.filter((name) => !NO_LISTINGS.includes(name)), ...BY_OPTION];
});
afterAll(() => box.end());

/** What the terminal shows. */
async function shown(args: string, columns: number): Promise<string[]> {
  const words = args === '' ? [] : args.split(' ');
  const terminal = new Terminal(box, words, repository, { PAGER: 'cat' }, columns);
  return stripVTControlCharacters(await terminal.end())
    .replaceAll('\r', '')
    .trimEnd()
    .split('\n');
}

describe.skipIf(!HAS_TERMINAL)('every listing', () => {
  it.each([80, 100, 200])('fits into %i columns, and breaks no word', async (columns) => {
    expect(listings.length).toBeGreaterThan(15);
    const wide: string[] = [];
    for (const name of listings)
      for (const line of await shown(name, columns)) {
        // One word that is longer than a line, such as a path or a command to paste, is left to the terminal.
        const isOneWord = line
          .trim()
          .split(/\s+/)
          .some((word) => word.length > columns / 2);
        if (line.length > columns && !isOneWord) wide.push(`piton ${name}: ${line}`);
      }
    expect(wide).toEqual([]);
  });

  it('tells hooks apart whose names differ at their end, and shows what was denied and why', async () => {
    const rows = (await shown('hooks', 80)).filter((line) => line.startsWith('pre_tool_use '));
    expect(new Set(rows).size).toBe(rows.length);
    expect(rows.length).toBe(3);
    const list = await shown('trust --list', 80);
    expect(list[0]).toMatch(/^HOOK +.*STATE +PROJECT$/);
    expect(new Set(list).size).toBe(list.length);
    const events = (await shown('events', 80)).join('\n');
    expect(events).toMatch(/Bash: cat forbidden +denied by 10-a-guard/);
    expect(events).toMatch(/↳ this is not done here, ask in the channel of the team first/);
  });
});
