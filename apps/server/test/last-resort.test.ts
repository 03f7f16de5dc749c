import { mkdirSync, mkdtempSync, readdirSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { AGENTS } from '@piton/agents';
import { type LastResort, readLastResort } from '@piton/contracts';
import {
  createRegistry,
  type LastResortPorts,
  readLastResorts,
  refreshLastResort,
  refreshLastResorts,
  staleLastResorts,
  trust,
  untrust,
} from '@piton/hooks';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';

let root: string;
beforeEach(() => {
  root = realpathSync(mkdtempSync(join(tmpdir(), 'piton-last-resort-')));
  for (const name of ['home', 'config', 'one', 'two']) mkdirSync(join(root, name));
});
afterEach(() => rmSync(root, { recursive: true, force: true }));

const parseSettings = (text: string) => {
  try {
    return { value: JSON.parse(text), errors: [] };
  } catch (error) {
    return { value: undefined, errors: [(error as Error).message] };
  }
};
const trustDir = (): string => join(root, 'home', 'trust');
/** As a server or a command has it: with a memory of its own. */
const reader = (config = join(root, 'config')): LastResortPorts => ({
  ...{ home: join(root, 'home'), config, trustDir: trustDir(), agents: AGENTS },
  registry: createRegistry({ config, trustDir: trustDir(), parseSettings }),
});

const guard = (name: string, more: object = {}) => ({ name, event: 'pre_tool_use', command: 'exit 2', fail_closed: true, ...more });
const setUser = (hooks: readonly object[], more: object = {}): void =>
  writeFileSync(join(root, 'config', 'settings.json'), JSON.stringify({ ...more, hooks }));
function setProject(name: string, hooks: readonly object[]): string {
  const project = join(root, name);
  mkdirSync(join(project, '.piton'), { recursive: true });
  writeFileSync(join(project, '.piton', 'settings.json'), JSON.stringify({ hooks }));
  trust({ trustDir: trustDir(), parseSettings }, project, 'all', { at: '2026-01-01T00:00:00Z' });
  return project;
}

const kept = (): LastResort[] => readLastResorts(join(root, 'home')).map((file) => file.kept ?? { root: 'broken', denies: new Map() });
const denyOf = (project: string | null, registration = 'claude.PreToolUse'): string | undefined =>
  kept()
    .find((each) => each.root === project)
    ?.denies.get(registration);

describe('what is kept of a root', () => {
  it('is the native deny of each registration that a required hook could deny, by the name of the hook', () => {
    setUser([guard('keep'), guard('later', { event: 'stop' })]);
    refreshLastResorts(reader(), 'all');
    expect(JSON.parse(denyOf(null) ?? '')).toMatchObject({
      hookSpecificOutput: { permissionDecision: 'deny', permissionDecisionReason: expect.stringContaining('(keep)') },
    });
    expect(JSON.parse(denyOf(null, 'gemini.BeforeTool') ?? '')).toMatchObject({ decision: 'deny' });
    expect(denyOf(null, 'claude.PostToolUse')).toBeUndefined();
  });

  it.each([
    ['a hook that may fail', { fail_closed: false }],
    ['one that is switched off', { enabled: false }],
    ['one that only watches', { observe: true }],
    ['one on trial', { mode: 'shadow' }],
  ])('asks for the built-in guard alone where there is only %s', (_name, more) => {
    setUser([guard('keep', more)]);
    refreshLastResorts(reader(), 'all');
    expect(denyOf(null)).toBe('');
    setUser([guard('keep', more)], { guard: 'off' });
    refreshLastResorts(reader(), 'all');
    expect(denyOf(null)).toBeUndefined();
  });

  it('is a file of its own: two that read different roots erase nothing of each other', () => {
    const [first, second] = [reader(), reader()];
    refreshLastResorts(first, 'all');
    refreshLastResorts(second, 'all');
    const one = setProject('one', [guard('in-one')]);
    refreshLastResort(first, one);
    const two = setProject('two', [guard('in-two')]);
    refreshLastResort(second, two);
    setUser([guard('mine')]);
    refreshLastResort(first, null);
    expect([one, two, null].map((each) => /\((.*?)\)/.exec(denyOf(each) ?? '')?.[1])).toEqual(['in-one', 'in-two', 'mine']);
  });

  it('is what lies there in the end, whoever was slower', () => {
    setUser([guard('old')]);
    const slow = reader();
    const { list } = slow.registry;
    let others: (() => void) | undefined = () => {
      setUser([guard('new')]);
      refreshLastResort(reader(), null);
    };
    const overtaken: LastResortPorts = {
      ...slow,
      registry: {
        ...slow.registry,
        list(place) {
          const read = list(place);
          others?.(); // after we have read, and before we write
          others = undefined;
          return read;
        },
      },
    };
    refreshLastResort(overtaken, null);
    expect(denyOf(null)).toContain('(new)');
  });

  it('goes when the project is trusted no more, and not before', () => {
    const one = setProject('one', [guard('in-one')]);
    refreshLastResorts(reader(), 'all');
    rmSync(join(one, '.piton'), { recursive: true });
    refreshLastResorts(reader(), 'all');
    expect(denyOf(one)).toContain('(in-one)');
    untrust(trustDir(), one, 'all');
    refreshLastResorts(reader(), 'missing');
    expect(denyOf(one)).toBeUndefined();
  });

  it('stays where nobody can tell which projects are trusted', () => {
    const one = setProject('one', [guard('in-one')]);
    refreshLastResorts(reader(), 'all');
    writeFileSync(join(trustDir(), 'index.json'), '{');
    refreshLastResorts(reader(), 'all');
    expect(denyOf(one)).toContain('(in-one)');
  });

  it('stays where the configuration cannot be seen, or is being edited', () => {
    setUser([guard('mine')]);
    refreshLastResorts(reader(), 'all');
    refreshLastResorts(reader(join(root, 'hidden')), 'all');
    expect(denyOf(null)).toContain('(mine)');
    writeFileSync(join(root, 'config', 'settings.json'), '{ "hooks": [');
    refreshLastResorts(reader(), 'all');
    expect(denyOf(null)).toContain('(mine)');
    setUser([]);
    refreshLastResorts(reader(), 'all');
    expect(denyOf(null)).toBe('');
  });

  it('is written where there is none yet, also without a configuration', () => {
    refreshLastResorts(reader(join(root, 'none')), 'missing');
    expect(denyOf(null)).toBe('');
  });

  it('is called stale where a root asks something else, or its file is broken', () => {
    const one = setProject('one', [guard('in-one')]);
    expect(staleLastResorts(reader())).toEqual([null, one]);
    refreshLastResorts(reader(), 'all');
    expect(staleLastResorts(reader())).toEqual([]);
    setUser([guard('mine')]);
    expect(staleLastResorts(reader())).toEqual([null]);
    refreshLastResorts(reader(), 'all');
    const folder = join(root, 'home', 'last-resort');
    const file = readdirSync(folder).find((name) => name !== 'user') ?? '';
    writeFileSync(join(folder, file), 'piton last-resort 1\n');
    expect(staleLastResorts(reader())).toEqual([one]);
    refreshLastResorts(reader(), 'missing');
    expect(staleLastResorts(reader())).toEqual([]);
  });
});

it('a file that was cut anywhere is broken, and not less', () => {
  const text = Buffer.from(
    `piton last-resort 1\n"/a\\nb"\nclaude.PreToolUse 5\n{"ü"}\nx.y 0\n\n.\n`.replace('5\n', `${Buffer.byteLength('{"ü"}')}\n`),
  );
  expect(readLastResort(text)).toEqual({
    root: '/a\nb',
    denies: new Map([
      ['claude.PreToolUse', '{"ü"}'],
      ['x.y', ''],
    ]),
  });
  for (let length = 0; length < text.length; length++) expect(readLastResort(text.subarray(0, length))).toBeUndefined();
  expect(readLastResort(Buffer.concat([text, Buffer.from('\n')]))).toBeUndefined();
});
