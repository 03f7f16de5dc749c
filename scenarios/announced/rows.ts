import { execFileSync } from 'node:child_process';
import { mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { eventually } from '@piton/testing';
import type { Sandbox } from '../first-day/sandbox.ts';

/** A command that changes something on the person's machine. */
export interface Row {
  readonly name: string;
  readonly command: readonly string[];
  /** Makes it possible, and says where it runs. */
  readonly prepare: (box: Sandbox) => Promise<string> | string;
  /** How the command is told to go on. */
  readonly yes?: readonly string[];
  /** Commands that bring everything back, or why there are none. */
  readonly undo: readonly (readonly string[])[] | string;
}

const OWN_SETTINGS =
  '{\n  "model": "opus", // mine\n  "hooks": { "Stop": [{ "hooks": [{ "type": "command", "command": "say done" }] }] }\n}\n';

const repository = (box: Sandbox): string => box.repository();
const GONE = 'it deletes for good, and its question says so';

const MCP_INSTALL = ['mcp', 'install', '--agent', 'claude', '--agent', 'codex', '--agent', 'gemini', '--agent', 'opencode'];

/** Gemini keeps hooks and servers in one file; Claude Code, Codex and OpenCode have others for each. */
async function withServersOfOthers(box: Sandbox): Promise<string> {
  const cwd = box.repository();
  box.write('.gemini/settings.json', '{\n  // mine\n  "mcpServers": { "mine": { "command": "true" } }\n}\n');
  box.write('.codex/config.toml', 'model = "x"\n\n[mcp_servers.mine]\ncommand = "true"\n');
  box.write('.config/opencode/opencode.json', '{}\n');
  await box.piton(['init', '--agent', 'claude', '--agent', 'gemini', '--yes'], { cwd });
  return cwd;
}

export const ROWS: readonly Row[] = [
  {
    name: 'init on a new machine',
    command: ['init', '--agent', 'claude'],
    prepare: repository,
    undo: [['uninstall', '--yes']],
  },
  {
    name: "init beside a person's own settings and git hooks",
    command: ['init', '--agent', 'claude', '--agent', 'codex', '--link'],
    prepare(box) {
      const root = box.repository();
      box.write('.claude/settings.json', OWN_SETTINGS, 0o640);
      box.write(join(root, '.git/hooks/post-commit'), '#!/bin/sh\necho mine\n', 0o755);
      box.write(join(root, '.git/hooks/pre-push'), '#!/usr/bin/env node\n', 0o755);
      symlinkSync('/bin/true', join(root, '.git/hooks/commit-msg'));
      return root;
    },
    undo: [['uninstall', '--yes']],
  },
  {
    name: 'init again in another repository',
    command: ['init', '--agent', 'claude'],
    async prepare(box) {
      await box.piton(['init', '--agent', 'claude', '--yes'], { cwd: box.repository('first') });
      return box.repository('second');
    },
    undo: 'uninstall takes both repositories back: there is no command for one of them',
  },
  {
    name: 'init --project',
    command: ['init', '--agent', 'claude', '--project'],
    prepare: repository,
    undo: [['uninstall', '--project', '--yes']],
  },
  {
    name: 'import',
    command: ['import', '--copy-scripts'],
    prepare: withOwnHooks,
    undo: [['hooks', 'remove', 'imported/claude/stop-done', '--force', '--yes']],
  },
  {
    name: 'import --remove-original',
    command: ['import', '--remove-original'],
    async prepare(box) {
      const cwd = withOwnHooks(box);
      await box.piton(['init', '--agent', 'claude', '--yes'], { cwd });
      return cwd;
    },
    undo: [
      ['uninstall', '--yes'],
      ['init', '--agent', 'claude', '--yes'],
    ],
  },
  {
    name: 'mcp install',
    command: MCP_INSTALL,
    prepare: withServersOfOthers,
    undo: [['mcp', 'uninstall', '--yes']],
  },
  {
    name: 'mcp uninstall',
    command: ['mcp', 'uninstall'],
    async prepare(box) {
      const cwd = await withServersOfOthers(box);
      await box.piton([...MCP_INSTALL, '--yes'], { cwd });
      return cwd;
    },
    undo: [[...MCP_INSTALL, '--yes']],
  },
  {
    name: 'uninstall of hooks and MCP servers in the same files',
    command: ['uninstall'],
    async prepare(box) {
      const cwd = await withServersOfOthers(box);
      await box.piton([...MCP_INSTALL, '--yes'], { cwd });
      return cwd;
    },
    undo: 'init and mcp install bring them back: what is gone without a trace is tested with the MCP server',
  },
  {
    name: 'materialize',
    command: ['materialize', 'user:artifacts/mine', '--agent', 'claude,cursor,codex'],
    async prepare(box) {
      mkdirSync(join(box.config, '..'), { recursive: true });
      await box.piton(['hooks', 'new', 'guard', 'mine']);
      const cwd = box.repository();
      box.write(join(cwd, '.claude/settings.json'), OWN_SETTINGS);
      return cwd;
    },
    undo: [['materialize', 'user:artifacts/mine', '--agent', 'claude,cursor,codex', '--remove', '--yes']],
  },
  {
    name: 'hooks new, an artifact',
    command: ['hooks', 'new', 'guard', 'mine'],
    prepare: withConfigDirectory,
    yes: [],
    undo: [['hooks', 'remove', 'mine', '--force', '--yes']],
  },
  {
    name: 'hooks new, a setting of the project',
    command: ['hooks', 'new', 'guard', 'mine', '--as', 'setting', '--scope', 'project'],
    prepare: withConfigDirectory,
    yes: [],
    undo: 'hooks remove takes artifacts: a setting is a part of a file of the person',
  },
  {
    name: 'hooks add',
    command: ['hooks', 'add', 'block-destructive-commands'],
    prepare: withConfigDirectory,
    yes: [],
    undo: [['hooks', 'remove', 'block-destructive-commands', '--yes']],
  },
  {
    name: 'hooks add --scope project',
    command: ['hooks', 'add', 'protect-paths', '--scope', 'project'],
    prepare: withConfigDirectory,
    yes: [],
    undo: [['hooks', 'remove', 'protect-paths', '--scope', 'project', '--yes']],
  },
  {
    name: 'hooks add of a folder of others',
    command: ['hooks', 'add', '../mine'],
    prepare: withHookOfOthers,
    undo: [['hooks', 'remove', 'mine', '--yes']],
  },
  {
    name: 'hooks update',
    command: ['hooks', 'update', 'mine'],
    async prepare(box) {
      const cwd = withHookOfOthers(box);
      await box.piton(['hooks', 'add', '../mine', '--yes'], { cwd });
      box.write('mine/ARTIFACT.md', artifactText('2.0.0'));
      return cwd;
    },
    undo: 'the earlier version is with its source: remove the hook, and add that one',
  },
  {
    name: 'hooks sign',
    command: ['hooks', 'sign', '../mine', '--key', '../key'],
    prepare(box) {
      execFileSync('ssh-keygen', ['-q', '-t', 'ed25519', '-N', '', '-f', join(box.home, 'key')]);
      return withHookOfOthers(box);
    },
    yes: [],
    undo: 'it writes one file, which is deleted like any other',
  },
  {
    name: 'hooks remove',
    command: ['hooks', 'remove', 'block-destructive-commands'],
    async prepare(box) {
      const cwd = withConfigDirectory(box);
      await box.piton(['hooks', 'add', 'block-destructive-commands'], { cwd });
      return cwd;
    },
    undo: [['hooks', 'add', 'block-destructive-commands']],
  },
  {
    name: 'trust',
    command: ['trust', '--all'],
    prepare: withProjectHook,
    undo: [['untrust', '--all', '--yes']],
  },
  {
    name: 'untrust',
    command: ['untrust', '--all'],
    async prepare(box) {
      const cwd = withProjectHook(box);
      await box.piton(['trust', '--all', '--yes'], { cwd });
      return cwd;
    },
    undo: [['trust', '--all', '--yes']],
  },
  {
    name: 'settings set',
    command: ['settings', 'set', 'guard', 'ask'],
    prepare(box) {
      box.write(join(box.config, 'settings.json'), '{\n  // mine\n  "hooks_enabled": true\n}\n', 0o600);
      return box.home;
    },
    undo: [['settings', 'unset', 'guard']],
  },
  {
    name: 'settings set --scope local',
    command: ['settings', 'set', 'checkpoints.strategy', 'auto-commit', '--scope', 'local'],
    prepare: repository,
    undo: [['settings', 'unset', 'checkpoints.strategy', '--scope', 'local']],
  },
  {
    name: 'settings set, the first of all',
    command: ['settings', 'set', 'guard', 'ask'],
    prepare: withConfigDirectory,
    undo: [['settings', 'unset', 'guard']],
  },
  {
    name: 'settings unset',
    command: ['settings', 'unset', 'guard'],
    prepare(box) {
      box.write(join(box.config, 'settings.json'), '{\n  // mine\n  "guard": "ask"\n}\n', 0o600);
      return box.home;
    },
    undo: [['settings', 'set', 'guard', 'ask']],
  },
  {
    name: 'uninstall',
    command: ['uninstall'],
    async prepare(box) {
      const cwd = box.repository();
      box.write('.claude/settings.json', OWN_SETTINGS, 0o640);
      box.write(join(cwd, '.git/hooks/pre-push'), '#!/usr/bin/env node\n', 0o755);
      await box.piton(['init', '--agent', 'claude', '--link', '--yes'], { cwd });
      return cwd;
    },
    undo: [['init', '--agent', 'claude', '--link', '--yes']],
  },
  {
    name: 'uninstall --agent',
    command: ['uninstall', '--agent', 'codex'],
    async prepare(box) {
      const cwd = box.repository();
      box.write('.claude/settings.json', OWN_SETTINGS, 0o640);
      box.write('.codex/hooks.json', OWN_SETTINGS, 0o640);
      await box.piton(['init', '--agents', 'claude,codex', '--link', '--yes'], { cwd });
      return cwd;
    },
    undo: [['init', '--agent', 'codex', '--yes']],
  },
  {
    name: 'uninstall after an import',
    command: ['uninstall'],
    async prepare(box) {
      const cwd = withOwnHooks(box);
      await box.piton(['init', '--agent', 'claude', '--yes'], { cwd });
      await box.piton(['import', '--remove-original', '--yes'], { cwd });
      return cwd;
    },
    undo: [
      ['init', '--agent', 'claude', '--yes'],
      ['import', '--remove-original', '--yes'],
    ],
  },
  {
    name: 'uninstall of plugins that were edited',
    command: ['uninstall'],
    prepare: withEditedPlugins,
    undo: 'what was edited lies beside: putting it back is for the person who did',
  },
  {
    name: 'init over plugins that were edited',
    command: ['init', '--agents', 'pi,opencode,kilo,omp'],
    prepare: withEditedPlugins,
    undo: 'what was edited lies beside: putting it back is for the person who did',
  },
  {
    name: 'uninstall --purge',
    command: ['uninstall', '--purge'],
    prepare: withCheckpoints,
    undo: GONE,
  },
  {
    name: 'clean --repository',
    command: ['clean', '--repository'],
    prepare: withCheckpoints,
    undo: GONE,
  },
  {
    name: 'observations delete',
    command: ['observations', 'delete', '@'],
    prepare: withObservation,
    undo: GONE,
  },
  {
    name: 'clean',
    command: ['clean', '--all', '--older-than', '0d'],
    prepare: withCheckpoints,
    undo: GONE,
  },
];

function withConfigDirectory(box: Sandbox): string {
  mkdirSync(join(box.config, '..'), { recursive: true });
  return box.repository();
}

const artifactText = (version: string): string =>
  `---\ntype: hook\nversion: ${version}\ndescription: Says nothing.\nhook_event: stop\nhook_action: scripts/done.sh\n---\n`;

function withHookOfOthers(box: Sandbox): string {
  box.write('mine/ARTIFACT.md', artifactText('1.0.0'));
  box.write('mine/scripts/done.sh', '#!/bin/sh\nexit 0\n', 0o755);
  return withConfigDirectory(box);
}

function withOwnHooks(box: Sandbox): string {
  const cwd = withConfigDirectory(box);
  box.write('hooks/done.sh', '#!/bin/sh\necho done\n', 0o755);
  const hooks = { Stop: [{ hooks: [{ type: 'command', command: '~/hooks/done.sh >> ~/hooks/done.log' }] }] };
  box.write('.claude/settings.json', `${JSON.stringify({ model: 'opus', hooks }, null, 4)}\n`, 0o640);
  return cwd;
}

function withProjectHook(box: Sandbox): string {
  const cwd = box.repository();
  box.write(join(cwd, '.piton/hooks/pre-shell-execution/10-mine'), '#!/bin/sh\nexit 0\n', 0o755);
  return cwd;
}

/** A repository in which the tests passed. */
async function withObservation(box: Sandbox): Promise<string> {
  const cwd = box.repository();
  await box.piton(['init', '--agent', 'claude', '--yes'], { cwd });
  const tool_input = { command: 'npm test' };
  const input = { session_id: 's', hook_event_name: 'PostToolUse', cwd, tool_name: 'Bash', tool_use_id: 'b', tool_input };
  execFileSync(join(box.state, 'runtime/current/piton-forward'), ['claude', 'PostToolUse', 'user', '60000', '-'], {
    ...{ cwd, env: box.env, input: JSON.stringify({ ...input, tool_response: { stdout: '3 passed' } }) },
  });
  await eventually(async () => (await box.json<unknown[]>(['observations', '--json'], { cwd })).length > 0);
  return cwd;
}

/** A repository in which an agent had a turn. */
export async function withCheckpoints(box: Sandbox): Promise<string> {
  const cwd = box.repository();
  await box.piton(['init', '--agent', 'claude', '--yes'], { cwd });
  const fire = (event: string, more: object): void => {
    const input = JSON.stringify({ session_id: 's', hook_event_name: event, cwd, ...more });
    execFileSync(join(box.state, 'runtime/current/piton-forward'), ['claude', event, 'user', '60000', '-'], { cwd, env: box.env, input });
  };
  fire('UserPromptSubmit', { prompt: 'write it' });
  box.write(join(cwd, 'a.txt'), 'one\n');
  fire('Stop', { stop_hook_active: false });
  const refs = (): string => execFileSync('git', ['for-each-ref', 'refs/piton/'], { cwd, encoding: 'utf8' });
  await eventually(() => refs() !== '');
  return cwd;
}

async function withEditedPlugins(box: Sandbox): Promise<string> {
  await box.piton(['init', '--agents', 'pi,opencode,kilo,omp', '--yes']);
  for (const path of ['.pi/agent/extensions/piton.js', '.config/opencode/plugins/piton.js', '.omp/agent/extensions/piton-omp.js'])
    writeFileSync(join(box.home, path), `${box.read(path)}// mine\n`);
  return box.home;
}
