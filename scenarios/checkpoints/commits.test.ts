import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { eventually, runPitonSync } from '@piton/testing';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { closeScene, environment, fire, git, openScene, piton } from './setup.ts';

let root: string;
let work: string;

const tool = { tool_name: 'Write', tool_use_id: 't1' };
const message = (rev = 'HEAD'): string => git('log', '-1', '--format=%B', rev);
const commitCheckpoints = (): { id: string; linked: string | null; agent: string | null; session: string | null }[] =>
  JSON.parse(piton('checkpoints', 'list', '--json').stdout).filter(({ kind }: { kind: string }) => kind === 'commit');

beforeEach(() => {
  ({ root, work } = openScene());
  writeFileSync(join(work, 'a.txt'), 'one\n');
  git('add', '-A');
  git('commit', '-qm', 'Begin');
});
afterEach(closeScene);

/** An agent writes a file in a turn of its own. */
async function agentWrites(name: string, text: string, session_id = 's1'): Promise<void> {
  const input = { ...tool, session_id, tool_input: { file_path: join(work, name), content: text } };
  fire('UserPromptSubmit', { session_id, prompt: `write ${name}` });
  fire('PreToolUse', input);
  writeFileSync(join(work, name), text);
  fire('PostToolUse', { ...input, tool_response: {} });
  fire('Stop', { session_id, stop_hook_active: false });
  await eventually(() => piton('checkpoints', 'list', '--json').stdout.includes(`"name": "write ${name}"`));
}

it('init installs five git hooks, none the second time, and uninstall gives everything back', () => {
  writeFileSync(join(work, '.git', 'hooks', 'pre-push'), '#!/bin/sh\nexit 7\n', { mode: 0o755 });
  const hooks = () => readdirSync(join(work, '.git', 'hooks')).filter((name) => !name.endsWith('.sample'));
  const first = piton('init', '--agent', 'claude', '--yes');
  expect({ status: first.status, stderr: first.stderr }).toEqual({ status: 0, stderr: '' });
  expect(first.stdout).toContain('5 git hooks installed.');
  expect(hooks().sort()).toEqual(['commit-msg', 'post-commit', 'post-rewrite', 'pre-push', 'prepare-commit-msg']);
  expect(piton('init', '--agent', 'claude', '--yes').stdout).toContain('Its git hooks are already installed.');
  rmSync(join(work, '.git', 'hooks', 'post-commit'));
  expect(piton('doctor').stdout).toContain('post-commit');
  piton('doctor', '--fix');
  expect(existsSync(join(work, '.git', 'hooks', 'post-commit'))).toBe(true);
  expect(piton('uninstall', '--yes').status).toBe(0);
  expect(hooks()).toEqual(['pre-push']);
  expect(readFileSync(join(work, '.git', 'hooks', 'pre-push'), 'utf8')).toBe('#!/bin/sh\nexit 7\n');
});

it('uninstall also takes out the git hooks that a hook manager has left behind by setting core.hooksPath', () => {
  piton('init', '--agent', 'claude', '--yes');
  mkdirSync(join(work, '.husky', '_'), { recursive: true });
  writeFileSync(join(work, '.husky', '_', '.gitignore'), '*');
  git('config', 'core.hooksPath', '.husky/_');
  expect(piton('doctor', '--fix').stdout).toContain('5 git hooks installed');
  const said = piton('uninstall', '--yes').stdout;
  const left = [join('.git', 'hooks'), join('.husky', '_')].flatMap((directory) =>
    readdirSync(join(work, directory)).filter((name) => !name.endsWith('.sample')),
  );
  expect(left).toEqual(['.gitignore']);
  expect(said).toContain(join('.git', 'hooks'));
  expect(said).toContain(join('.husky', '_'));
});

it('init --quiet says nothing of what went well, and still says what went wrong', () => {
  const hooks = () => readdirSync(join(work, '.git', 'hooks')).filter((name) => !name.endsWith('.sample'));
  for (const _ of ['the first time', 'and again']) {
    const { status, stdout, stderr } = piton('init', '--agent', 'claude', '--quiet');
    expect({ status, stdout, stderr }).toEqual({ status: 0, stdout: '', stderr: '' });
    expect(hooks()).toHaveLength(5);
  }
  expect(readFileSync(join(root, '.claude', 'settings.json'), 'utf8')).toContain('piton-forward');
  writeFileSync(join(root, '.claude', 'settings.json'), '{ broken');
  const broken = piton('init', '--agent', 'claude', '--quiet');
  expect([broken.status, broken.stdout, broken.stderr]).toEqual([1, '', expect.stringContaining('settings.json')]);
  expect(piton('init', '--quiet', '--json')).toMatchObject({ status: 2, stdout: '' });
});

it.each([
  ['of one repository', ['--project']],
  ['where nothing of Piton is left in any agent', []],
])('uninstall %s takes git’s hooks out, and says so', (_, more) => {
  const hooks = () => readdirSync(join(work, '.git', 'hooks')).filter((name) => !name.endsWith('.sample'));
  expect(piton('init', '--agent', 'claude', '--yes').status).toBe(0);
  if (more.length === 0) rmSync(join(root, '.claude', 'settings.json'));
  expect(piton('uninstall', ...more).stderr).toContain('needs confirmation');
  expect(hooks()).toHaveLength(5);
  const { status, stdout } = piton('uninstall', '--yes', ...more);
  expect([status, stdout]).toEqual([0, expect.stringContaining(`${join(work, '.git', 'hooks')}: 5 git hooks removed`)]);
  expect(hooks()).toEqual([]);
  expect(piton('uninstall', '--yes', ...more).stdout).toContain('Nothing to do');
});

it('a commit with an agent’s work carries its checkpoint, is linked, and keeps that through amend and squash', async () => {
  expect(piton('init', '--agent', 'claude', '--yes').status).toBe(0);
  await agentWrites('agent.txt', 'from the agent\n');
  git('add', '-A');
  git('commit', '-qm', 'Add it');
  const [, id = ''] = /^Piton-Checkpoint: ([0-9A-Z]{26})$/m.exec(message()) ?? [];
  expect(id).not.toBe('');
  await eventually(() => commitCheckpoints().length === 1);
  const head = git('rev-parse', 'HEAD').trim();
  expect(commitCheckpoints()).toMatchObject([{ id, linked: head, agent: 'claude', session: 's1' }]);
  expect(piton('explain', 'HEAD').stdout).toMatch(/1 line added.*by agents 1 \(100 %\)/s);

  git('commit', '-q', '--amend', '-m', 'Said otherwise');
  expect(message()).toBe(`Said otherwise\n\nPiton-Checkpoint: ${id}\n\n`);
  await eventually(() => JSON.parse(piton('explain', 'HEAD', '--json').stdout).checkpoints.includes(id));

  writeFileSync(join(work, 'mine.txt'), 'mine\n');
  git('add', '-A');
  git('commit', '-qm', 'By hand');
  expect(message()).not.toContain('Piton-Checkpoint');
  git('reset', '-q', '--soft', 'HEAD~2');
  git('commit', '-qm', 'Both in one', '--no-verify');
  const squashed = JSON.parse(piton('explain', 'HEAD', '--json').stdout) as { agent: number; human: number };
  expect(squashed).toMatchObject({ agent: 1, human: 1 });
  expect(git('fsck', '--no-dangling')).toBe('');
});

it('an amend with a new message keeps the trailer, however it is said; a new commit does not get it', async () => {
  expect(piton('init', '--agent', 'claude', '--yes').status).toBe(0);
  await agentWrites('agent.txt', 'from the agent\n');
  git('add', '-A');
  git('commit', '-qm', 'Add it');
  const [trailer = ''] = /^Piton-Checkpoint: [0-9A-Z]{26}$/m.exec(message()) ?? [];
  expect(trailer).not.toBe('');
  writeFileSync(join(root, 'said'), 'From a file\n\nSigned-off-by: T <t@e>\n');
  git('tag', 'other', 'HEAD~1');
  git('config', 'alias.again', 'commit --amend');
  const amends: readonly (readonly [readonly string[], string])[] = [
    [['commit', '-q', '--amend', '-m', 'With -m'], `With -m\n\n${trailer}`],
    [['commit', '-q', '--amend', '-F', join(root, 'said')], `From a file\n\nSigned-off-by: T <t@e>\n${trailer}`],
    [['again', '-q', '-m', 'By an alias'], `By an alias\n\n${trailer}`],
    [['-c', 'user.name=x', 'commit', '--am', '-qm', 'Short', '--reset-author'], `Short\n\n${trailer}`],
    [['commit', '-q', '--amend', '-C', 'other'], `Begin\n\n${trailer}`],
    [['commit', '-q', '--amend', '-m', `Said twice\n\n${trailer}`], `Said twice\n\n${trailer}`],
  ];
  for (const [args, expected] of amends) {
    git(...args);
    expect({ args, message: message().trimEnd() }).toEqual({ args, message: expected });
  }
  for (const text of ['--amend', 'Plain']) {
    git('commit', '-q', '--allow-empty', '-m', text);
    expect(message().trimEnd()).toBe(text);
  }
  git('commit', '-q', '--allow-empty', '--amend', '--no-amend', '-m', 'Not after all');
  expect(message().trimEnd()).toBe('Not after all');
});

it('a turn in which the agent commits has an end of its own, and a rewind goes back before that turn alone', async () => {
  expect(piton('init', '--agent', 'claude', '--yes').status).toBe(0);
  await agentWrites('first.txt', 'from the first turn\n');
  const shell = { tool_name: 'Bash', tool_use_id: 't2', tool_input: { command: 'git commit -qam both && echo more > second.txt' } };
  fire('UserPromptSubmit', { prompt: 'commit it' });
  fire('PreToolUse', shell);
  writeFileSync(join(work, 'second.txt'), 'from the second turn\n');
  git('add', 'second.txt');
  git('commit', '-qm', 'Add it');
  fire('PostToolUse', { ...shell, tool_response: {} });
  fire('Stop', { stop_hook_active: false });
  const stops = () =>
    (JSON.parse(piton('checkpoints', 'list', '--json').stdout) as { kind: string; name: string }[]).filter(({ kind }) => kind === 'stop');
  expect(await eventually(() => stops().some(({ name }) => name === 'commit it'))).toBe(true);
  expect(piton('rewind', '--yes').status).toBe(0);
  expect([existsSync(join(work, 'first.txt')), existsSync(join(work, 'second.txt'))]).toEqual([true, false]);
});

it('resume names the session that made a commit, not the one that began there, also after an amend', async () => {
  expect(piton('init', '--agent', 'claude', '--yes').status).toBe(0);
  await agentWrites('first.txt', 'from the first\n');
  git('add', '-A');
  git('commit', '-qm', 'First');
  await eventually(() => commitCheckpoints().length === 1);
  git('commit', '-q', '--amend', '-m', 'First, said otherwise');
  await agentWrites('second.txt', 'from the second\n', 'two; words');
  expect(piton('resume', 'HEAD').stdout).toBe('claude --resume s1\n');
  expect(piton('resume').stdout).toBe("claude --resume 'two; words'\n");
  expect(piton('resume', 'main').stdout).toBe("claude --resume 'two; words'\n");
  const [last = ''] = (JSON.parse(piton('checkpoints', 'list', '--json').stdout) as { id: string }[]).map(({ id }) => id).slice(-1);
  expect(piton('resume', last.slice(-8).toLowerCase()).stdout).toBe("claude --resume 'two; words'\n");
  // Every id begins with it. Any other character could be the one by which a session alone is known: `s` is `s1`.
  expect([piton('resume', last.slice(0, 1)).status, piton('resume', 'nowhere').status]).toEqual([1, 1]);
  expect(piton('resume', 's').stdout).toBe('claude --resume s1\n');
});

it('git works as ever when Piton is gone', () => {
  expect(piton('init', '--agent', 'claude', '--yes').status).toBe(0);
  piton('server', 'stop');
  rmSync(join(root, 'piton'), { recursive: true, force: true, maxRetries: 5 });
  writeFileSync(join(work, 'b.txt'), 'x\n');
  git('add', '-A');
  git('commit', '-qm', 'Without');
  expect(message()).toBe('Without\n\n');
});

it('a repository that was deleted inside another leaves that one alone', () => {
  const inner = join(work, 'inner');
  execFileSync('git', ['init', '-q', inner], { env: environment() });
  const there = (...args: string[]) => runPitonSync(args, { cwd: inner, env: environment() });
  expect(there('init', '--agent', 'claude', '--yes').status).toBe(0);
  rmSync(inner, { recursive: true });
  const hooks = () => readdirSync(join(work, '.git', 'hooks')).filter((name) => !name.endsWith('.sample'));
  expect(piton('doctor', '--fix').stdout).not.toContain('git hook');
  expect(hooks()).toEqual([]);
});
