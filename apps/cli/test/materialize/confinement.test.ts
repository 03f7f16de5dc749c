import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { AGENTS } from '@piton/agents';
import type { Agent } from '@piton/contracts';
import { bubblewrapped, SANDBOX_PROFILES, type SandboxProfile } from '@piton/hooks';
import { describeConfined } from '@piton/testing';
import { describe, expect, it } from 'vitest';
import { applyFiles } from '../../src/materialize/apply.ts';
import { type MaterializeTarget, planHook } from '../../src/materialize/plan.ts';
import { artifactAt, newDirectory, targetIn } from './setup.ts';

const ANY_SANDBOX: MaterializeTarget['sandbox'] = { problem: () => undefined, confine: () => ({ refused: '' }) };

/** A confined hook as it is written into an agent's configuration, and how that runs it. */
function confined(profile: SandboxProfile, action: string, more = '') {
  const [root, project] = [newDirectory(), newDirectory()];
  const folder = join(root, 'confined');
  mkdirSync(folder);
  const fields = `type: hook\nversion: 1.0.0\ndescription: Tries to get out.\nhook_event: pre_shell_execution\nsandbox_profile: ${profile}\n${more}`;
  writeFileSync(join(folder, 'ARTIFACT.md'), `---\n${fields}hook_action: |\n  ${action.replaceAll('\n', '\n  ')}\n---\n`);
  const outcome = planHook(artifactAt(folder), AGENTS[0] as Agent, targetIn(project, { sandbox: ANY_SANDBOX }), new Map());
  if (outcome.refused || outcome.folder === null) throw new Error(outcome.refused?.why);
  applyFiles(outcome.files, project, 'project');
  const script = join(outcome.folder, 'run.sh');
  return {
    project,
    folder: outcome.folder,
    run: (env: Readonly<Record<string, string>>, cwd = project) =>
      spawnSync(script, ['PreToolUse'], { cwd, encoding: 'utf8', input: '{}', env: { PATH: process.env.PATH, ...env } }),
  };
}

const PROFILES = SANDBOX_PROFILES.filter((profile) => profile !== 'none');

/** The system's own bubblewrap goes before any on PATH. Then what it was started with is read from inside. */
const OF_THE_SYSTEM = spawnSync('sh', ['-c', 'command -p -v bwrap']).status === 0;
const ARGUMENTS = `cat > /dev/null\ntr '\\000' ' ' < /proc/1/cmdline >&2\nexit 2`;

describe('a sandbox profile', () => {
  it.each(PROFILES)('%s: is enforced by the command line that Piton would use', (profile) => {
    const { project, folder, run } = confined(profile, OF_THE_SYSTEM ? ARGUMENTS : 'cat > /dev/null');
    const programs = newDirectory();
    const seen = join(newDirectory(), 'seen');
    writeFileSync(join(programs, 'bwrap'), `#!/bin/sh\nprintf '%s ' "$@" > ${seen}\n`, { mode: 0o755 });
    const below = join(project, 'below');
    mkdirSync(below);
    for (const [cwd, home] of [
      [project, OF_THE_SYSTEM ? '/var/lib' : '/home/somebody'], // bubblewrap itself mounts over it, so it has to be there
      [below, project],
      ['/usr', '/tmp'],
    ] as const) {
      const { stdout } = run({ PATH: `${programs}:${process.env.PATH}`, HOME: home }, cwd);
      const shown = [cwd, folder]; // there is no repository around it: the project is the agent's directory
      const wanted = bubblewrapped('bwrap', { profile, cwd, home, shown }, ['/bin/sh', join(folder, 'action.sh')]);
      expect(OF_THE_SYSTEM ? stdout : readFileSync(seen, 'utf8')).toContain(wanted.slice(1).join(' '));
    }
  });

  it('that cannot be enforced keeps the hook from running, and a policy denies', () => {
    const env = { HOME: '/home/somebody', PATH: '/nowhere' };
    const hook = confined('read-only', 'touch ran');
    expect(hook.run({ ...env, PATH: withoutBubblewrap() }).status).toBe(1);
    expect(existsSync(join(hook.project, 'ran'))).toBe(false);
    const policy = confined('read-only', 'touch ran', 'fail_closed: true\n');
    expect(policy.run({ ...env, PATH: withoutBubblewrap() }).stdout).toContain('"deny"');
    expect(existsSync(join(policy.project, 'ran'))).toBe(false);
  });
});

describeConfined('a sandbox profile, with bubblewrap itself', (path) => {
  it('holds: nothing is written outside /tmp', () => {
    const { project, run } = confined('read-only', 'cat > /dev/null\ntouch escaped || echo "held" >&2\nexit 2');
    expect(run({ HOME: '/root', PATH: path }).stdout).toContain('held');
    expect(existsSync(join(project, 'escaped'))).toBe(false);
  });
});

/** A PATH with the few programs that the script uses, without bubblewrap. */
function withoutBubblewrap(): string {
  const directory = newDirectory();
  for (const name of ['sh', 'dirname', 'cat', 'tr', 'sed', 'awk', 'cut', 'git', 'touch'])
    spawnSync('ln', ['-s', spawnSync('sh', ['-c', `command -v ${name}`], { encoding: 'utf8' }).stdout.trim(), join(directory, name)]);
  return directory;
}
