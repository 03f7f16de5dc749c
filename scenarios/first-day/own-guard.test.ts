import { mkdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { claude, fire } from './payloads.ts';
import { type Sandbox, sandbox } from './sandbox.ts';

let box: Sandbox;
let repository: string;
beforeEach(async () => {
  box = sandbox();
  repository = box.repository();
  mkdirSync(join(box.home, '.claude'));
  await box.piton(['init', '--agent', 'claude', '--yes'], { cwd: repository });
});
afterEach(() => box.end());

const shell = (command: string, cwd = repository): Promise<string> => fire(box, claude.shell('s1', cwd, command));
const edit = (file: string): Promise<string> => {
  const write = { tool_name: 'Write', tool_input: { file_path: file, content: '{}' } };
  return fire(box, { ...claude.shell('s1', repository, ''), ...write });
};

describe('the guard of Piton’s own files, as it is installed', () => {
  it('denies by name and by place what an agent must not change, and lets it read', async () => {
    for (const command of [
      'rm -rf .piton',
      `rm -rf ${box.state}`,
      'rm -rf ~/.local/state/piton/trust',
      'echo {} > ~/.claude/settings.json',
      'rm -f .git/hooks/post-commit',
      'piton untrust --all --yes',
      'cd /tmp && rm -rf ~/.config/piton',
    ])
      expect(await shell(command), command).toContain('"permissionDecision":"deny"');
    for (const command of ['ls .piton', 'cat ~/.claude/settings.json', 'cat .git/hooks/post-commit', 'piton trust --list', 'rm -rf build'])
      expect(await shell(command), command).toBe('{}');
    for (const file of ['.piton/settings.json', join(box.home, '.claude/settings.json'), join(repository, '.claude/settings.local.json')])
      expect(await edit(file), file).toContain('ask them to do it themselves');
    expect(await edit(join(repository, 'src.ts'))).toBe('{}');
  });

  it('stands in the trace of the event', async () => {
    await shell('rm -rf .piton');
    const [event] = await box.json<{ eventId: string; decision: string }[]>(['events', '--event', 'pre_tool_use']);
    expect(event?.decision).toBe('deny');
    expect((await box.piton(['events', 'show', event?.eventId as string])).stdout).toContain('piton:own-files');
  });

  it('is changed by the person’s own settings, and by no project’s', async () => {
    expect((await box.piton(['settings', 'get', 'guard'])).stdout).toBe('deny\n');
    const refused = await box.piton(['settings', 'set', 'guard', 'off', '--scope', 'project', '--yes'], { cwd: repository });
    expect(refused.stderr).toContain('a repository must not weaken it');
    expect((await box.piton(['settings', 'set', 'guard', 'never', '--yes'])).code).not.toBe(0);
    box.write(join(repository, '.piton/settings.json'), '{ "guard": "off" }');
    expect(await shell('rm -rf .piton')).toContain('"deny"');
    expect((await box.piton(['settings', 'set', 'guard', 'off', '--yes'])).code).toBe(0);
    expect(await shell('rm -rf .piton')).toBe('{}');
  });

  it('is written down for the time without a server, as it is set', async () => {
    const asks = (): boolean => box.read(join(box.state, 'last-resort', 'user')).includes('claude.PreToolUse 0\n');
    expect(asks()).toBe(true);
    // Where checkpoints are taken the stand-in is asked in any case: it keeps what a call names.
    rmSync(join(box.state, 'repositories'));
    box.write(join(box.config, 'settings.json'), '{ "guard": "off" }');
    await shell('ls');
    expect(asks()).toBe(false);
    box.write(join(box.config, 'settings.json'), '{ "guard": "ask" }');
    await shell('ls');
    expect(asks()).toBe(true);
  });

  it('keeps the server from being ended', async () => {
    const { server } = await box.json<{ server: { pid: number } }>(['status'], { cwd: repository });
    expect(await shell(`kill -9 ${server.pid}`)).toContain('may not stop the Piton server');
    expect(await shell('kill -9 1')).toBe('{}');
  });
});
