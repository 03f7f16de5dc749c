import { execFileSync } from 'node:child_process';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Sandbox, sandbox } from '../first-day/sandbox.ts';

/** Clears the screen, sets the title, turns the line round, and begins a sequence in one byte of Latin-1. */
const EVIL = '\u001b[2J\u001b]0;owned\u0007\u202egnp\u009b31m';
const SLASHLESS = `x${EVIL}y`;
const STEERS = /[\u0000-\u0008\u000b\u000c\u000e-\u001f\u007f-\u009f\u202a-\u202e\u2066-\u2069]|\r(?!\n)/;

let box: Sandbox;
let work: string;

beforeAll(async () => {
  box = sandbox();
  work = box.repository(`work-${SLASHLESS}`);
  expect((await box.piton(['init', '--agent', 'claude'], { cwd: work })).code).toBe(0);
  const piton = join(work, '.piton');
  const hooks = join(piton, 'hooks', 'pre-tool-use');
  mkdirSync(hooks, { recursive: true });
  writeFileSync(join(hooks, `10-${SLASHLESS}`), '#!/bin/sh\n', { mode: 0o755 });
  writeFileSync(join(hooks, `20-${SLASHLESS}`), 'no program\n', { mode: 0o644 });
  mkdirSync(join(piton, 'hooks', `no-such-${SLASHLESS}`));
  const artifact = join(piton, 'artifacts', `a-${SLASHLESS}`);
  mkdirSync(artifact, { recursive: true });
  writeFileSync(
    join(artifact, 'ARTIFACT.md'),
    `---\ntype: hook\nversion: 1.0.0\nname: "n${EVIL}"\nhook_event: "stop${EVIL}"\nhook_action: 'true'\n---\n${EVIL}\n`,
  );
  writeFileSync(
    join(piton, 'settings.json'),
    JSON.stringify({
      [`odd${EVIL}`]: 1,
      hooks: [
        { name: `s${EVIL}`, event: 'stop', run: `echo ${EVIL}` },
        { name: `bad${EVIL}`, event: `no${EVIL}`, run: 'true' },
      ],
    }),
  );
  box.write(
    '.claude/settings.local.json',
    JSON.stringify({ hooks: { PreToolUse: [{ matcher: `Bash${EVIL}`, hooks: [{ type: 'command', command: `echo ${EVIL}` }] }] } }),
  );
  writeFileSync(join(work, `file-${SLASHLESS}`), 'one\n');
  execFileSync('git', ['-c', 'user.name=n', '-c', 'user.email=n@n', 'commit', '--quiet', '--allow-empty', '-m', `subject ${EVIL}`], {
    cwd: work,
    env: box.env,
  });
});
afterAll(() => box.end());

/** Names from foreign files and from arguments, in what is said and in what is refused. */
const COMMANDS: readonly (readonly string[])[] = [
  ['init', '--dry-run'],
  ['init', '--agent', SLASHLESS],
  ['init', '--agent', 'claude', '--project', '--dry-run'],
  ['status'],
  ['doctor'],
  ['hooks'],
  ['hooks', '--event', SLASHLESS],
  ['hooks', 'list', SLASHLESS],
  ['hooks', 'explain', SLASHLESS],
  ['hooks', 'test', `project:pre_tool_use/10-${SLASHLESS}`],
  ['hooks', 'test', SLASHLESS],
  ['hooks', 'new', 'guard', SLASHLESS],
  ['hooks', 'add', SLASHLESS],
  ['hooks', 'add', `./.piton/artifacts/a-${SLASHLESS}`],
  ['hooks', 'remove', SLASHLESS],
  ['hooks', 'promote', SLASHLESS],
  ['hooks', 'backtest', SLASHLESS],
  ['hooks', 'record', SLASHLESS],
  ['hooks', 'replay', SLASHLESS],
  ['trust'],
  ['trust', '--list'],
  ['trust', '--yes'],
  ['trust', SLASHLESS, '--yes'],
  ['untrust', SLASHLESS, '--yes'],
  ['lint'],
  ['lint', SLASHLESS],
  ['import', '--dry-run'],
  ['import', SLASHLESS],
  ['materialize', SLASHLESS, '--agent', 'claude'],
  ['materialize', `a-${SLASHLESS}`, '--agent', 'claude', '--dry-run'],
  ['events'],
  ['events', '--session', SLASHLESS],
  ['events', 'show', SLASHLESS],
  ['sessions'],
  ['sessions', 'show', SLASHLESS],
  ['checkpoints'],
  ['checkpoints', 'show', SLASHLESS],
  ['explain', SLASHLESS],
  ['explain', 'HEAD'],
  ['blame', `file-${SLASHLESS}`],
  ['rewind', SLASHLESS],
  ['resume', SLASHLESS],
  ['settings'],
  ['settings', 'set', SLASHLESS, '1'],
  ['settings', 'get', SLASHLESS],
  ['server', 'status'],
  ['server', 'logs'],
  ['clean', '--dry-run'],
  ['schema', SLASHLESS],
  ['agents', SLASHLESS],
  [SLASHLESS],
  ['events', `--${SLASHLESS}`],
  ['redact', SLASHLESS],
];

describe('names that steer a terminal are printed as text', () => {
  for (const args of COMMANDS) {
    it(`by piton ${args.map((each) => each.replace(SLASHLESS, '…')).join(' ')}`, async () => {
      const { stdout, stderr } = await box.piton(args, { cwd: work });
      expect(stdout).not.toMatch(STEERS);
      expect(stderr).not.toMatch(STEERS);
      expect(stdout + stderr).not.toMatch(/^ +at /m);
    });
  }

  it('and come whole out of --json, with nothing in it that steers', async () => {
    const { stdout } = await box.piton(['settings', 'list', '--json'], { cwd: work });
    expect(stdout).not.toMatch(STEERS);
    expect(JSON.stringify(JSON.parse(stdout))).toContain(JSON.stringify(`odd${EVIL}`).slice(1, -1));
  });

  it('but a text that a program takes on stays as it is', async () => {
    const { stdout } = await box.piton(['redact'], { input: `a\r${EVIL}\r\n` });
    expect(stdout).toBe(`a\r${EVIL}\r\n`);
  });
});
