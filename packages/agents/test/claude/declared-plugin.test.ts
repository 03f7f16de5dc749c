import { spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { EVENTS } from '../../src/claude/events.ts';
import { importer } from '../../src/claude/import.ts';
import { isOurs, registrationOf } from '../../src/shared/command-line.ts';

const PLUGIN = new URL('../../../../plugin/', import.meta.url);
const HOOKS = readFileSync(new URL('hooks/hooks.json', PLUGIN), 'utf8');
type Handler = { readonly type: string; readonly command: string; readonly timeout: number };
const { hooks } = JSON.parse(HOOKS) as { hooks: Record<string, readonly [{ readonly hooks: readonly [Handler] }]> };
const lines = Object.entries(hooks).map(
  ([
    event,
    [
      {
        hooks: [handler],
      },
    ],
  ]) => [event, handler] as const,
);

let root: string;
beforeEach(() => {
  root = realpathSync(mkdtempSync(join(tmpdir(), 'piton-plugin-')));
});
afterEach(() => rmSync(root, { recursive: true, force: true }));

/** A forwarder that says where it lies, what it was given and what it sees. */
function addForwarder(state: string): void {
  mkdirSync(join(state, 'runtime/current'), { recursive: true });
  const script = '#!/bin/sh\necho "$0 $*"\nenv | grep -c "^_PITON_TEST=kept$"\n';
  writeFileSync(join(state, 'runtime/current/piton-forward'), script, { mode: 0o755 });
}

function run(line: string, env: Readonly<Record<string, string>> = {}) {
  const { status, stdout, stderr } = spawnSync('sh', ['-c', line], {
    env: { PATH: process.env.PATH ?? '', HOME: join(root, 'a home'), _PITON_TEST: 'kept', ...env },
    encoding: 'utf8',
  });
  return { status, stdout, stderr };
}

describe('the lines of the plugin', () => {
  it('name events that every version in the table knows, in the form that every version runs', () => {
    const late = EVENTS.filter(({ since }) => since?.startsWith('2.1.') && Number(since.split('.')[2]) > 72);
    expect(late.map(({ name }) => name)).toContain('StopFailure');
    expect(lines.length).toBeGreaterThan(8);
    expect(lines.filter(([event]) => late.some(({ name }) => name === event))).toEqual([]);
    for (const [, handler] of lines) expect(Object.keys(handler)).toEqual(['type', 'command', 'timeout']);
  });

  it.each([
    ['HOME', (): Record<string, string> => ({}), 'a home/.local/state/piton'],
    ['XDG_STATE_HOME', (): Record<string, string> => ({ XDG_STATE_HOME: join(root, 'xdg state') }), 'xdg state/piton'],
    ['an empty XDG_STATE_HOME', (): Record<string, string> => ({ XDG_STATE_HOME: '' }), 'a home/.local/state/piton'],
    ['PITON_HOME', (): Record<string, string> => ({ PITON_HOME: join(root, 'moved $(x)'), XDG_STATE_HOME: '/none' }), 'moved $(x)/state'],
  ])('find Piton where %s has it', (_, env, state) => {
    addForwarder(join(root, state));
    for (const [event, { command, timeout }] of lines) {
      const { status, stdout } = run(command, env());
      const [path = '', ...words] = (stdout.split('\n')[0] ?? '').slice(root.length + 1).split(' claude ');
      expect(path).toBe(`${state}/runtime/current/piton-forward`);
      expect(words[0]).toMatch(new RegExp(`^${event} plugin \\d+ CLAUDE_CODE_SESSION_ATTENDED$`));
      expect(Number(words[0]?.split(' ')[2])).toBeLessThanOrEqual(timeout * 1000);
      expect([status, stdout.split('\n')[1]]).toEqual([0, '1']);
    }
  });

  it('are silent without Piton, and a session’s start alone tells the person how to set it up', () => {
    for (const [event, { command }] of lines) {
      const { status, stdout, stderr } = run(command);
      expect([status, stderr]).toEqual([0, '']);
      if (event !== 'SessionStart') expect(stdout).toBe('');
      else expect(JSON.parse(stdout)).toEqual({ systemMessage: expect.stringContaining('npx @piton/cli init') });
    }
  });

  it('are neither registrations of init nor hooks of the person’s to import', () => {
    for (const [, { command }] of lines) {
      expect(registrationOf({ shell: command })).toBeUndefined();
      expect(isOurs({ shell: command })).toBe(true);
    }
    const read = importer.plugins?.read(HOOKS);
    expect(read).toMatchObject({ ok: true });
    expect(JSON.stringify(read)).not.toContain('piton-forward');
  });
});
