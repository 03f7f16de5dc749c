import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { eventually } from '@piton/testing';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { hookManagers, preCommit } from '../../scripts/hook-managers.mjs';
import { closeScene, environment, fire, git, openScene, piton } from './setup.ts';

let root: string;
let work: string;
const [managers, python] = [hookManagers(), preCommit()];

beforeEach(() => {
  ({ root, work } = openScene());
  const folder = join(root, 'piton', 'config', 'hooks', 'checkpoint-created');
  mkdirSync(folder, { recursive: true });
  writeFileSync(join(folder, '10-log'), '#!/bin/sh\ncat >> "$HOME/created"\necho >> "$HOME/created"\n', { mode: 0o755 });
});
afterEach(closeScene);

/** In an environment where the manager is found. */
const run = (...command: string[]): string => {
  const [program = '', ...args] = command;
  const env = { ...environment(), PATH: `${managers ?? ''}${delimiter}${process.env.PATH}`, PYTHONPATH: python ?? '' };
  return execFileSync(program, args, { cwd: work, env, encoding: 'utf8', stdio: ['ignore', 'pipe', 'pipe'] });
};

async function agentCommits(name: string): Promise<void> {
  const input = { tool_name: 'Write', tool_use_id: name, tool_input: { file_path: join(work, name), content: name } };
  fire('UserPromptSubmit', { prompt: `write ${name}` });
  fire('PreToolUse', input);
  writeFileSync(join(work, name), name);
  fire('PostToolUse', { ...input, tool_response: {} });
  fire('Stop', { stop_hook_active: false });
  await eventually(() => piton('checkpoints', 'list', '--json').stdout.includes(`"name": "write ${name}"`));
  git('add', '-A');
  run('git', 'commit', '-qm', `Add ${name}`);
}

const trailers = (): string[] => git('log', '-1', '--format=%(trailers:key=Piton-Checkpoint,valueonly)').split('\n').filter(Boolean);

/** A commit of an agent's work has its line, its checkpoint and its event, each once. */
async function expectLinked(commits: number): Promise<void> {
  const [id = 'none', ...others] = trailers();
  expect(others).toEqual([]);
  const linked = () => JSON.parse(piton('checkpoints', 'list', '--json').stdout).filter(({ kind }: { kind: string }) => kind === 'commit');
  await eventually(() => linked().length === commits);
  expect(linked().at(-1)).toMatchObject({ id, linked: git('rev-parse', 'HEAD').trim() });
  const created = () => (existsSync(join(root, 'created')) ? readFileSync(join(root, 'created'), 'utf8') : '');
  await eventually(() => created().includes(id));
}

describe.skipIf(managers === null)('lefthook', () => {
  const CONFIG =
    '# ours\noutput: false\ncommit-msg:\n  commands:\n    check: # must be good\n      run: "true"\npost-commit:\n  jobs:\n    - run: "true"\n';

  it('a commit is linked by lines in lefthook.yml, also after lefthook has installed itself again; uninstall gives the file back', async () => {
    writeFileSync(join(work, 'lefthook.yml'), CONFIG);
    run('lefthook', 'install');
    git('add', '-A');
    git('commit', '-qm', 'Begin');
    expect(piton('init', '--agent', 'claude', '--dry-run').stdout).toContain('piton init --shared-hooks');
    const shown = piton('init', '--agent', 'claude', '--shared-hooks', '--dry-run').stdout;
    expect(shown).toContain(`2 git hooks in ${join(work, 'lefthook.yml')}: commit-msg, post-commit`);
    expect(shown).toContain('+    piton:');
    expect(readFileSync(join(work, 'lefthook.yml'), 'utf8')).toBe(CONFIG);
    expect(piton('init', '--agent', 'claude', '--yes', '--shared-hooks').status).toBe(0);
    await agentCommits('one.txt');
    await expectLinked(1);
    run('lefthook', 'install', '--force');
    await agentCommits('two.txt');
    await expectLinked(2);
    const [before] = trailers();
    run('git', 'commit', '-q', '--amend', '-m', 'Another message');
    expect(trailers()).toEqual([before]);
    expect(piton('doctor').stdout).not.toContain('missing or changed');
    const said = piton('uninstall', '--yes').stdout;
    expect(said).toContain(`${join(work, 'lefthook.yml')}: Piton's commands removed`);
    expect(readFileSync(join(work, 'lefthook.yml'), 'utf8')).toBe(CONFIG);
  });
});

describe.skipIf(python === null)('pre-commit', () => {
  it('a commit is linked before and after pre-commit has installed itself again', async () => {
    const hook = (stage: string) =>
      `      - {id: ${stage}, name: t, language: system, entry: "true", always_run: true, pass_filenames: false, stages: [${stage}]}\n`;
    const stages = ['prepare-commit-msg', 'commit-msg', 'post-commit'];
    writeFileSync(join(work, '.pre-commit-config.yaml'), `repos:\n  - repo: local\n    hooks:\n${stages.map(hook).join('')}`);
    git('add', '-A');
    git('commit', '-qm', 'Begin');
    const install = () => run('python3', '-m', 'pre_commit', 'install', ...stages.flatMap((stage) => ['--hook-type', stage]));
    install();
    expect(piton('init', '--agent', 'claude', '--yes').status).toBe(0);
    await agentCommits('one.txt');
    await expectLinked(1);
    install();
    await agentCommits('two.txt');
    await expectLinked(2);
    expect(git('status', '--porcelain')).toBe('');
  });
});
