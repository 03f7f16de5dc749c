import { existsSync, mkdirSync, mkdtempSync, readFileSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { placesOf } from '@piton/contracts/places';
import { COMMAND, removeHome } from '@piton/testing';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { differences, takeSnapshot } from '../announced/snapshot.ts';
import { hasTerminal, runOnTerminal } from '../docs/terminal.ts';
import { compareScreen } from './screens.ts';
import { hasTmux, openTerminal, type Terminal } from './terminal.ts';

let root: string;
let work: string;
let env: NodeJS.ProcessEnv;
let terminal: Terminal | undefined;

const program = (path: string, text: string): void => {
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, `#!/bin/sh\n${text}\n`, { mode: 0o755 });
};

/** Two agents with programs, one with settings only, and one that no real run has proven. */
beforeEach(() => {
  root = realpathSync(mkdtempSync('/tmp/hour-'));
  work = join(root, 'shop');
  const path = `${root}/bin:${dirname(process.execPath)}:/usr/bin:/bin`;
  env = { ...{ HOME: root, PATH: path, TERM: 'screen', LANG: 'C.UTF-8', NO_COLOR: '1' }, ...{ PITON_ALLOW_UNDER_AGENT: '1', TZ: 'UTC' } };
  for (const each of ['shop', '.gemini']) mkdirSync(join(root, each));
  program(join(root, 'bin/piton'), `exec '${process.execPath}' '${COMMAND}' "$@"`);
  program(join(root, 'bin/claude'), 'echo "2.1.139 (Claude Code)"');
  program(join(root, 'bin/codex'), 'echo "codex-cli 0.80.0"');
  program(join(root, 'bin/cursor-agent'), 'echo 1.2.3');
});
afterEach(async () => {
  terminal?.end();
  terminal = undefined;
  const state = join(root, '.local/state/piton');
  if (existsSync(state)) await removeHome({ root, places: placesOf(state, join(root, '.config/piton')) });
  else rmSync(root, { recursive: true, force: true, maxRetries: 5 });
});

const MENU = /Enter continues\.[\s\S]*\n {2}\[ \] Cursor/;

describe.skipIf(!hasTmux)('piton init lets a person choose among several agents', () => {
  const open = async (): Promise<Terminal> => {
    terminal = await openTerminal(`${root}.tmux`, work, env);
    return terminal;
  };

  it('shows them with their versions, and plans for those that are chosen', async () => {
    const screen = await open();
    const menu = await screen.type('piton init --no-git', MENU);
    const { shown, recorded } = compareScreen('choose', root, menu);
    expect(shown).toBe(recorded);
    // Not Claude Code, and the last as well.
    await screen.press('Space', /> \[ \] Claude Code/);
    await screen.press('Up', /> \[ \] Cursor/);
    await screen.press('Space', /> \[x\] Cursor/);
    const asked = await screen.press('Enter', /\[y\/N\]/);
    expect(asked).toContain('Codex: ');
    expect(asked).toContain('Gemini CLI: ');
    expect(asked).toContain('Cursor (unproven): ');
    expect(asked).not.toContain('Claude Code: ');
    expect(await screen.type('n')).toContain('Nothing was changed.');
  });

  it('registers those that are chosen and no other, after a yes', async () => {
    const screen = await open();
    await screen.type('piton init --no-git', MENU);
    await screen.press('Down', /> \[x\] Codex/);
    await screen.press('Space', /> \[ \] Codex/);
    const asked = await screen.press('Enter', /\[y\/N\]/);
    expect(asked).toContain('Claude Code: ');
    expect(asked).not.toContain('Codex: ');
    // A guard of the agent's own has a question of its own, which was announced.
    expect(asked.replace(/\s+/g, ' ')).toContain('Gemini CLI has to trust them before it runs them. If it does not yet, you are asked');
    await screen.type('y', /Trust \S+\/shop in Gemini CLI\?[\s\S]*\[y\/N\]$/);
    const done = await screen.type('n', /Next: [\s\S]*\n\$$/);
    expect(done).toContain('Done:');
    expect(done.slice(done.indexOf('Done:'))).not.toContain('you are asked about that next');
    expect(readFileSync(join(root, '.claude/settings.json'), 'utf8')).toContain('piton-forward');
    expect(readFileSync(join(root, '.gemini/settings.json'), 'utf8')).toContain('piton-forward');
    expect(existsSync(join(root, '.gemini/trustedFolders.json'))).toBe(false);
    expect(['.codex', '.cursor'].map((name) => existsSync(join(root, name)))).toEqual([false, false]);
  });

  it.each([
    ['C-c', 130],
    ['Escape', 0],
    ['q', 0],
  ])('%s leaves nothing changed and exits with %i', async (key, code) => {
    const screen = await open();
    const before = takeSnapshot(root);
    await screen.type('piton init --no-git; echo "exit $?"', MENU);
    const left = await screen.press(key, /exit \d+\n\$$/);
    expect(left).toContain(`exit ${code}`);
    expect(differences(before, takeSnapshot(root))).toEqual([]);
  });

  it('Ctrl-C at the question that follows leaves nothing changed either', async () => {
    const screen = await open();
    await screen.type('piton init --no-git; echo "exit $?"', MENU);
    await screen.press('Enter', /\[y\/N\]/);
    expect(await screen.press('C-c', /exit \d+\n\$$/)).toContain('exit 130');
    expect(existsSync(join(root, '.local'))).toBe(false);
    expect(existsSync(join(root, '.codex'))).toBe(false);
  });
});

describe.skipIf(!hasTerminal)('on a terminal that moves no cursor', () => {
  const init = async (...answers: string[]): Promise<string> => {
    const file = join(root, 'init.sh');
    writeFileSync(file, 'piton init --no-git');
    const { output } = await runOnTerminal(file, work, { ...env, TERM: 'dumb' }, answers);
    return output.replaceAll('\r', '');
  };

  it('takes numbers and names, asks again after a misspelt one, and prints no escapes', async () => {
    const said = await init('9', 'claude', 'n');
    expect(said).toContain('1. [x] Claude Code  2.1.139');
    expect(said).toContain('There is no "9" in the list.');
    expect(said).toContain('Claude Code: ');
    expect(said).not.toContain('Codex: ');
    expect(said).toContain('Nothing was changed.');
    expect(said).not.toContain('\u001b');
  });

  it('changes nothing if none is chosen', async () => {
    expect(await init('none')).toContain('Nothing was changed.');
    expect(existsSync(join(root, '.local'))).toBe(false);
  });
});
