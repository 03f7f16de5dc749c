import { spawnSync } from 'node:child_process';
import { chmodSync, mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setMember } from '@piton/agents/jsonc';
import { COMMAND, pathWithBubblewrap } from '@piton/testing';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { Stage } from '../repository-setup.ts';
import { type Block, MARKS, PAGES, type Page, parsePage } from './pages.ts';
import { STAGES } from './stages.ts';
import { hasTerminal, runOnTerminal } from './terminal.ts';

const allBlocks = PAGES.flatMap(({ blocks }) => blocks);
const isRun = ({ language, marks }: Block): boolean => language === 'sh' && marks['not run'] === undefined;
const PATH = pathWithBubblewrap() ?? process.env.PATH ?? '';
const hasProgram = (name: string): boolean => spawnSync('sh', ['-c', 'command -v "$0"', name], { env: { PATH } }).status === 0;

describe('marks', () => {
  it('each is one of those that there are, and says something', () => {
    expect(allBlocks.flatMap(({ where, unclear }) => unclear.map((comment) => `${where} ${comment}`))).toEqual([]);
  });

  it('what is given has a name', () => {
    const named = allBlocks.flatMap(({ marks }) => marks.given?.split(', ') ?? []);
    expect(named.filter((name) => !Object.hasOwn(STAGES, name))).toEqual([]);
  });

  it('a misspelt or empty one is seen', () => {
    const fence = '```sh\ntrue\n```\n';
    for (const mark of ['not run:', 'not run: ', 'not run: no', 'notrun: it is endless', 'not-run: it is endless', 'first:', 'nothing'])
      expect(parsePage('p', `<!-- ${mark} -->\n${fence}`).blocks[0]?.unclear, mark).toHaveLength(1);
    for (const name of Object.keys(MARKS))
      expect(parsePage('p', `<!-- ${name}: two words -->\n${fence}`).blocks[0]?.marks, name).toEqual({ [name]: 'two words' });
  });
});

/** What `piton` is on a reader's machine. */
function putOnPath(stage: Stage): string {
  const bin = join(stage.root, 'bin');
  mkdirSync(bin);
  writeFileSync(join(bin, 'piton'), `#!/bin/sh\nexec '${process.execPath}' '${COMMAND}' "$@"\n`);
  chmodSync(join(bin, 'piton'), 0o755);
  return `${bin}:${PATH}`;
}

describe.skipIf(!hasTerminal)('what a page shows works as it stands, after `piton init` in a repository', () => {
  let stage: Stage;
  beforeEach(() => {
    stage = new Stage();
  });
  afterEach(() => stage.end());

  const runPage = async ({ blocks }: Page): Promise<void> => {
    const env = { ...stage.environment, PATH: putOnPath(stage), TERM: 'dumb', PAGER: 'cat' };
    expect(stage.piton('init', '--agent', 'claude', '--yes').status).toBe(0);
    const file = join(stage.root, 'block.sh');
    for (const { where, text, marks } of blocks.filter(isRun)) {
      if (marks.needs !== undefined && !hasProgram(marks.needs)) {
        console.warn(`SKIPPED ${where}: ${marks.needs} is not here`);
        continue;
      }
      for (const name of marks.given?.split(', ') ?? []) await STAGES[name]?.(stage);
      writeFileSync(file, `set -eo pipefail\n${marks.first ?? ''}\n${text}`);
      const { code, output } = await runOnTerminal(file, stage.work, env);
      expect(code, `${where}\n${output}`).toBe(0);
    }
  };

  for (const page of PAGES.filter(({ blocks }) => blocks.some(isRun))) it(page.name, () => runPage(page), 300_000);
});

describe('other blocks', () => {
  const SHOWN = new Set(['sh', 'json', 'jsonc', 'js', 'markdown', 'mermaid', 'text']);
  const GENERATED = /^docs\/(cli|structure)\.md:/;

  it('say in which language they are, or why they are not run', () => {
    const others = allBlocks.filter(({ language, marks, where }) => !SHOWN.has(language) && !marks['not run'] && !GENERATED.test(where));
    expect(others.map(({ where }) => where)).toEqual([]);
  });

  for (const { where, text, language } of allBlocks.filter((each) => /^jsonc?$/.test(each.language)))
    it(`${where} is ${language}`, () => {
      if (language === 'json') JSON.parse(text);
      else expect(setMember(text, ['more'], 1)).toMatchObject({ ok: true });
    });

  for (const { where, text } of allBlocks.filter(({ language }) => language === 'js'))
    it(`${where} is JavaScript`, () => {
      // A part of a program may return and await.
      const wrapped = /^(import|export) /m.test(text) ? text : `async () => {\n${text}\n};`;
      const { status, stderr } = spawnSync(process.execPath, ['--check', '--input-type=module', '-'], { input: wrapped, encoding: 'utf8' });
      expect(status, stderr).toBe(0);
    });
});
