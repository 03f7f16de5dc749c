import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync, utimesSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { SubagentFiles } from '../src/subagents/subagent-files.ts';
import { Subagents } from '../src/subagents/subagents.ts';

let root: string;
beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), 'piton-subagents-'));
});
afterEach(() => rmSync(root, { recursive: true, force: true }));

const directory = (): string => join(root, 'subagents');
/** As a server has it that was just started. */
const subagents = (): Subagents => new Subagents(new SubagentFiles(directory()));
const files = (): string[] => readdirSync(directory()).map((name) => join(directory(), name));
const call = (id: string) => ({ toolUseId: id, agentId: undefined });

function twoAtWork(): void {
  subagents().called('s/1\n', 't1', 'Task: use the password swordfish');
  subagents().started('s/1\n', 'a1');
  subagents().called('s/1\n', 't2', 'Task: two');
  subagents().started('s/1\n', 'a2');
  subagents().touched('s/1\n', 'a1', ['/w/one']);
  subagents().touched('s/1\n', 'a2', ['/w/two']);
}

it('a server knows what the ones before it have seen of a session, and of no other', () => {
  twoAtWork();
  expect(subagents().apart('s/1\n', call('t1'))).toEqual({ own: ['/w/one'], others: ['/w/two'] });
  expect(subagents().apart('s2', call('t1'))).toBeNull();
  expect(subagents().stopped('s/1\n', 'a1')).toMatchObject({ awaited: true });
  expect(subagents().returned('s/1\n', 't1')).toEqual({ working: false });
  expect(subagents().returned('s/1\n', 't2')).toEqual({ working: true });
  expect(subagents().stopped('s/1\n', 'a2')).toMatchObject({ awaited: false });
  subagents().called('s/1\n', 't3', 'Task: three');
  expect(subagents().apart('s/1\n', call('t3'))).toBeNull();
});

it('what is on disk is for its owner alone, and without what was asked', () => {
  twoAtWork();
  const [file = ''] = files();
  expect(files()).toHaveLength(1);
  expect([statSync(directory()).mode & 0o777, statSync(file).mode & 0o777]).toEqual([0o700, 0o600]);
  expect(readFileSync(file, 'utf8')).toContain('/w/one');
  expect(readFileSync(file, 'utf8')).not.toContain('swordfish');
});

it('the end of a turn drops them once no subagent works on', () => {
  twoAtWork();
  subagents().returned('s/1\n', 't2');
  subagents().stopped('s/1\n', 'a1');
  subagents().returned('s/1\n', 't1');
  subagents().turnEnded('s/1\n');
  expect(files()).toHaveLength(1);
  subagents().stopped('s/1\n', 'a2');
  // Refused, and never run.
  subagents().called('s/1\n', 't3', 'Task: three');
  subagents().turnEnded('s/1\n');
  expect(files()).toEqual([]);
});

it('the end of a session drops its own, and those of others by their age', () => {
  twoAtWork();
  subagents().called('s2', 't1', 'Task: young');
  const old = join(directory(), 'old.json.1.new');
  writeFileSync(old, '[');
  utimesSync(old, 0, 0);
  subagents().forget('s/1\n');
  expect(files()).toHaveLength(1);
  expect(subagents().returned('s2', 't1')).toEqual({ working: false });
  expect(subagents().started('s2', 'a1')).toEqual({ name: undefined });
  expect(subagents().stopped('s2', 'a1')).toEqual({ awaited: false });
});

it('a file that is broken, or cannot be written, is as none', () => {
  twoAtWork();
  for (const file of files()) writeFileSync(file, '[{');
  expect(subagents().apart('s/1\n', call('t1'))).toBeNull();
  rmSync(directory(), { recursive: true });
  writeFileSync(directory(), 'no directory');
  const here = subagents();
  here.called('s1', 't1', 'Task: one');
  expect(here.started('s1', 'a1')).toEqual({ like: call('t1') });
  here.forget('s1');
});
