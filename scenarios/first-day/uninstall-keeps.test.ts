import { execFileSync } from 'node:child_process';
import { existsSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { AGENTS } from '@piton/agents';
import type { Agent } from '@piton/contracts';
import { eventually } from '@piton/testing';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { type Sandbox, sandbox } from './sandbox.ts';

let box: Sandbox;
beforeEach(() => {
  box = sandbox();
});
afterEach(() => box.end());

const OWN = `{
  // mine
  "model": "opus",
  "hooks": {
    "PreToolUse": [
      { "matcher": "Bash", "hooks": [{ "type": "command", "command": "my-guard" }, { "type": "command", "command": "second" }] },
    ],
    "Stop": [{ "hooks": [{ "type": "command", "command": "say done" }] }]
  }
}
`;

const importOwn = async (): Promise<void> => {
  box.write(box.settings, OWN, 0o640);
  expect((await box.piton(['init', '--yes'])).code).toBe(0);
  expect((await box.piton(['import', '--remove-original', '--yes'])).code).toBe(0);
  expect(box.read(box.settings)).not.toContain('my-guard');
};

const commands = (event: string): string[] => {
  const text = box
    .read(box.settings)
    .replace(/^\s*\/\/.*$/gm, '')
    .replace(/,(\s*[\]}])/g, '$1');
  const { hooks } = JSON.parse(text) as { hooks?: Record<string, { hooks: { command: string }[] }[]> };
  return (hooks?.[event] ?? []).flatMap((group) => group.hooks.map(({ command }) => command));
};

describe("hooks of the person's that import took out of an agent's file", () => {
  for (const options of [[], ['--purge']]) {
    it(`are back byte for byte after uninstall ${options.join(' ')}`, async () => {
      await importOwn();
      const said = await box.piton(['uninstall', '--yes', ...options]);
      expect(said).toMatchObject({ code: 0, stderr: '' });
      expect(said.stdout).toContain('3 imported hooks');
      expect(box.read(box.settings)).toBe(OWN);
    });
  }

  it('have no copy any more once they are back, so that a later init runs each once', async () => {
    await importOwn();
    const dry = await box.json<{ changes: { action: string; path: string }[] }>(['uninstall', '--dry-run']);
    const copies = dry.changes.filter(({ path }) => path.includes('/artifacts/imported/'));
    expect(copies.map(({ action }) => action)).toEqual(['remove', 'remove', 'remove']);
    expect((await box.piton(['uninstall', '--yes'])).code).toBe(0);
    expect(existsSync(join(box.config, 'artifacts'))).toBe(false);
    await box.piton(['init', '--yes']);
    const { hooks } = await box.json<{ hooks: { id: string; builtIn: boolean }[] }>(['hooks', 'list']);
    expect(hooks.filter(({ builtIn }) => !builtIn)).toEqual([]);
  });

  it('keep a copy that the person has changed, which is named as one that would run as well', async () => {
    await importOwn();
    const copy = join(box.config, 'artifacts/imported/claude');
    const [changed = ''] = readdirSync(copy).filter((name) => name.startsWith('stop'));
    box.write(join(copy, changed, 'notes.md'), 'mine\n');
    const said = await box.piton(['uninstall', '--yes']);
    expect(said.code).toBe(0);
    expect(readdirSync(copy)).toEqual([changed]);
    expect(said.stdout.replaceAll(/\s+/g, ' ')).toContain(`${changed}: a copy of a hook that is back in your agent's file`);
    expect(said.stdout).toContain(`hooks remove imported/claude/${changed} --force`);
  });

  it('keep their copies where they are not put back', async () => {
    await importOwn();
    expect((await box.piton(['uninstall', '--yes', '--no-restore'])).code).toBe(0);
    expect(readdirSync(join(box.config, 'artifacts/imported/claude'))).toHaveLength(3);
  });

  it('are put back beside what was changed since', async () => {
    await importOwn();
    box.write(box.settings, box.read(box.settings).replace('"opus"', '"sonnet"'));
    expect((await box.piton(['uninstall', '--purge', '--yes'])).code).toBe(0);
    expect(box.read(box.settings)).toContain('"sonnet"');
    expect(box.read(box.settings)).not.toContain('piton-forward');
    expect([commands('PreToolUse'), commands('Stop')]).toEqual([['my-guard', 'second'], ['say done']]);
    expect(existsSync(box.state)).toBe(false);
  });

  it('are put back into a file that is gone', async () => {
    await importOwn();
    execFileSync('rm', [box.settings]);
    expect((await box.piton(['uninstall', '--yes'])).code).toBe(0);
    expect([commands('PreToolUse'), commands('Stop')]).toEqual([['my-guard', 'second'], ['say done']]);
  });

  it('are put back after two imports from one file', async () => {
    await importOwn();
    const later = box.read(box.settings).replace('"model": "opus",', '"model": "opus", "later": 1,');
    writeFileSync(box.settings, later.replace('"Stop": [', '"Stop": [{ "hooks": [{ "type": "command", "command": "later" }] }, '));
    expect((await box.piton(['import', '--remove-original', '--yes'])).code).toBe(0);
    expect(box.read(box.settings)).not.toContain('"command": "later"');
    expect((await box.piton(['uninstall', '--yes'])).code).toBe(0);
    expect(commands('PreToolUse')).toEqual(['my-guard', 'second']);
    expect(commands('Stop').sort()).toEqual(['later', 'say done']);
  });

  it('stay in their backup where the person wants no hooks back, also with --purge', async () => {
    await importOwn();
    const said = await box.piton(['uninstall', '--purge', '--no-restore', '--yes']);
    expect(said.code).toBe(0);
    expect(box.read(box.settings)).not.toContain('my-guard');
    expect(readdirSync(box.state)).toEqual(['imported']);
    const [backup = ''] = readdirSync(join(box.state, 'imported'));
    expect(readFileSync(join(box.state, 'imported', backup), 'utf8')).toContain('my-guard');
    expect(said.stdout).toContain(join(box.state, 'imported', backup));
  });

  it('stay in their backup where the file can no longer be read', async () => {
    await importOwn();
    box.write(box.settings, '{ broken');
    const said = await box.piton(['uninstall', '--purge', '--yes']);
    expect(said.code).toBe(1);
    expect(box.read(box.settings)).toBe('{ broken');
    expect(readdirSync(join(box.state, 'imported')).length).toBeGreaterThan(0);
  });
});

describe('checkpoints in repositories', () => {
  const refs = (cwd: string): string[] =>
    execFileSync('git', ['for-each-ref', '--format=%(refname)', 'refs/piton/'], { cwd, encoding: 'utf8' }).split('\n').filter(Boolean);
  const contents = (cwd: string): string =>
    execFileSync('git', ['cat-file', '--batch-all-objects', '--batch'], { cwd, encoding: 'latin1' });

  /** A turn of an agent with a prompt, in a repository of its own. */
  async function turnIn(name: string): Promise<string> {
    const root = box.repository(name);
    box.write(join(root, 'a.txt'), 'one\n');
    const env = { ...box.env, GIT_AUTHOR_NAME: 'T', GIT_AUTHOR_EMAIL: 't@e', GIT_COMMITTER_NAME: 'T', GIT_COMMITTER_EMAIL: 't@e' };
    execFileSync('git', ['add', '-A'], { cwd: root, env });
    execFileSync('git', ['commit', '-qm', 'Begin'], { cwd: root, env });
    expect((await box.piton(['init', '--agent', 'claude', '--yes'], { cwd: root })).code).toBe(0);
    const fire = (event: string, more: object): void => {
      const payload = { session_id: `s-${name}`, hook_event_name: event, cwd: root, ...more };
      execFileSync(join(box.state, 'runtime/current/piton-forward'), ['claude', event, 'user', '60000', '-'], {
        ...{ cwd: root, env: box.env, input: JSON.stringify(payload) },
      });
    };
    const input = { file_path: join(root, 'b.txt'), content: 'secret plan\n' };
    fire('UserPromptSubmit', { prompt: 'write the secret plan' });
    fire('PreToolUse', { tool_name: 'Write', tool_use_id: 'w', tool_input: input });
    writeFileSync(input.file_path, input.content);
    fire('PostToolUse', { tool_name: 'Write', tool_use_id: 'w', tool_input: input, tool_response: {} });
    fire('Stop', { stop_hook_active: false });
    await eventually(() => refs(root).length > 1);
    await box.piton(['server', 'stop'], { cwd: root });
    writeFileSync(input.file_path, 'mine\n');
    execFileSync('git', ['add', 'b.txt'], { cwd: root, env });
    return root;
  }

  it('are named by uninstall and deleted by --purge, with their prompts and files, also where checkpoints were switched off before', async () => {
    const [first, second] = [await turnIn('first'), await turnIn('second')];
    const said = await box.piton(['uninstall', '--yes']);
    expect(said.stdout).toContain('What stays:');
    for (const root of [first, second]) expect(said.stdout).toMatch(new RegExp(`${root}: \\d+ refs below refs/piton`));
    expect(refs(first).length).toBeGreaterThan(0);
    expect(contents(first)).toContain('secret plan');
    const purged = await box.piton(['uninstall', '--purge', '--yes']);
    expect(purged).toMatchObject({ code: 0, stderr: '' });
    for (const root of [first, second]) {
      expect(refs(root)).toEqual([]);
      expect(contents(root)).not.toContain('secret plan');
      expect(execFileSync('git', ['show', ':b.txt'], { cwd: root, encoding: 'utf8' })).toBe('mine\n');
      expect(execFileSync('git', ['fsck', '--full'], { cwd: root, encoding: 'utf8' })).not.toContain('missing');
    }
    expect(existsSync(box.state)).toBe(false);
  });

  it('are deleted by clean --repository in that repository alone, and new ones are taken afterwards', async () => {
    const [first, second] = [await turnIn('first'), await turnIn('second')];
    const before = refs(second);
    const shown = await box.piton(['clean', '--repository', '--dry-run'], { cwd: first });
    expect(shown.stdout).toContain(first);
    expect(refs(first).length).toBeGreaterThan(0);
    expect(await box.piton(['clean', '--repository', '--yes'], { cwd: first })).toMatchObject({ code: 0 });
    expect([refs(first), refs(second)]).toEqual([[], before]);
    expect(contents(first)).not.toContain('secret plan');
    const again = await box.piton(['clean', '--repository', '--yes'], { cwd: first });
    expect(again.stdout).toContain('Nothing to clean');
    execFileSync(join(box.state, 'runtime/current/piton-forward'), ['claude', 'UserPromptSubmit', 'user', '60000', '-'], {
      ...{
        cwd: first,
        env: box.env,
        input: JSON.stringify({ session_id: 'n', hook_event_name: 'UserPromptSubmit', cwd: first, prompt: 'again' }),
      },
    });
    await eventually(() => refs(first).length > 0);
  });
});

describe('a plugin file of ours that a person has edited', () => {
  const PLUGINS = AGENTS.filter(({ installer }) => installer.isEdited !== undefined);
  const fileOf = (agent: Agent): string => join(box.home, agent.installer.configFiles('user', {})[0].path);

  it.each(PLUGINS)('$id: uninstall keeps it beside, where the agent does not load it, and names it before and after', async (agent) => {
    expect((await box.piton(['init', '--agent', agent.id, '--yes'])).code).toBe(0);
    const edited = `${readFileSync(fileOf(agent), 'utf8')}\n// mine\n`;
    writeFileSync(fileOf(agent), edited);
    const aside = `${fileOf(agent)}.edited`;
    expect((await box.piton(['doctor'])).stdout).toContain(aside);
    const dry = await box.piton(['uninstall', '--dry-run']);
    const said = await box.piton(['uninstall', '--yes']);
    expect(said).toMatchObject({ code: 0, stderr: '' });
    for (const { stdout } of [dry, said]) {
      expect(stdout).toContain(aside);
      expect(stdout).not.toContain('no other content');
    }
    expect(existsSync(fileOf(agent))).toBe(false);
    expect(readFileSync(aside, 'utf8')).toBe(edited);
  });

  it('without its mark it is found all the same, also without the records of what was written', async () => {
    const [agent] = PLUGINS;
    if (agent === undefined) throw new Error('no plugins');
    expect((await box.piton(['init', '--agent', agent.id, '--yes'])).code).toBe(0);
    const edited = `// mine\n${readFileSync(fileOf(agent), 'utf8')}`;
    writeFileSync(fileOf(agent), edited);
    rmSync(join(box.state, 'installed'), { recursive: true });
    expect((await box.piton(['uninstall', '--yes'])).code).toBe(0);
    expect(existsSync(fileOf(agent))).toBe(false);
    expect(readFileSync(`${fileOf(agent)}.edited`, 'utf8')).toBe(edited);
  });

  it('a later init writes ours anew and keeps it beside, under a name of its own each time', async () => {
    const [agent] = PLUGINS;
    if (agent === undefined) throw new Error('no plugins');
    expect((await box.piton(['init', '--agent', agent.id, '--yes'])).code).toBe(0);
    const ours = readFileSync(fileOf(agent), 'utf8');
    for (const [text, aside] of [
      ['// one\n', `${fileOf(agent)}.edited`],
      ['// two\n', `${fileOf(agent)}.edited-2`],
    ] as const) {
      writeFileSync(fileOf(agent), ours + text);
      const said = await box.piton(['init', '--agent', agent.id, '--yes']);
      expect(said.stdout).toContain(aside);
      expect(readFileSync(aside, 'utf8')).toBe(ours + text);
      expect(readFileSync(fileOf(agent), 'utf8')).toBe(ours);
    }
    expect((await box.piton(['uninstall', '--yes'])).code).toBe(0);
    expect(existsSync(fileOf(agent))).toBe(false);
  });
});
