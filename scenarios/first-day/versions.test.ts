import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { eventually } from '@piton/testing';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { claude, fire } from './payloads.ts';
import { type Sandbox, sandbox } from './sandbox.ts';

let box: Sandbox;
beforeEach(() => {
  box = sandbox();
});
afterEach(() => box.end());

interface Handler {
  readonly command: string;
  readonly args?: readonly string[];
}
type Hooks = Record<string, { hooks: Handler[] }[]>;

/** A program that says this version, first on PATH. An empty one does not say any. */
function withAgent(version: string, name = 'claude') {
  box.write(`bin/${name}`, version === '' ? '#!/bin/sh\nexit 1\n' : `#!/bin/sh\necho '${version} (Claude Code)'\n`, 0o755);
  return { env: { PATH: `${join(box.home, 'bin')}:${box.env.PATH}` } };
}

const hooks = (): Hooks => (JSON.parse(box.read(box.settings)) as { hooks: Hooks }).hooks;
const handlers = (): Handler[] => Object.values(hooks()).flatMap((groups) => groups.flatMap((group) => group.hooks));

/** What is known of the versions from their own runs, not from our table. */
const VOIDS = ['PermissionDenied', 'PostCompact', 'StopFailure'];
const VERSIONS = [
  { version: '2.1.72', unknown: VOIDS, args: false },
  { version: '2.1.77', unknown: ['PermissionDenied', 'StopFailure'], args: false },
  { version: '2.1.101', unknown: [], args: false },
  { version: '2.1.133', unknown: [], args: false },
  { version: '2.1.139', unknown: [], args: true },
  { version: '2.1.325', unknown: [], args: true },
  { version: '2.9.0', unknown: [], args: true },
  { version: '', unknown: [], args: true },
];

describe('piton init writes what the installed version of an agent understands', () => {
  it.each(VERSIONS)('Claude Code $version', async ({ version, unknown, args }) => {
    const given = withAgent(version);
    expect(await box.piton(['init', '--agent', 'claude', '--yes'], given)).toMatchObject({ code: 0 });
    expect(Object.keys(hooks())).toContain('PreToolUse');
    expect(VOIDS.filter((name) => !(name in hooks()))).toEqual(unknown);
    for (const handler of handlers()) expect(handler.args !== undefined, handler.command).toBe(args);
    expect((await box.piton(['init', '--agent', 'claude', '--yes'], given)).stdout).toContain('Nothing to do');
    expect((await box.piton(['status'], given)).code).toBe(0);
  });

  it('says for which version it writes, and where it does not know', async () => {
    const old = withAgent('2.1.72');
    expect((await box.piton(['init', '--dry-run'], old)).stdout).toMatch(/Claude Code 2\.1\.72 .*older than 2\.1\.325/);
    const json = await box.json<{ agents: object[] }>(['init', '--dry-run'], old);
    expect(json.agents).toMatchObject([{ version: '2.1.72', versionClass: 'older' }]);
    const silent = withAgent('');
    expect((await box.piton(['init', '--dry-run'], silent)).stdout).toContain("Claude Code's version is not known");
  });

  it('writes a line that a shell takes apart as it was meant, whatever the home is called', async () => {
    const home = join(box.home, `o'dd "$(touch x)" home`);
    const given = { env: { ...withAgent('2.1.101').env, PITON_HOME: home } };
    expect(await box.piton(['init', '--agent', 'claude', '--yes'], given)).toMatchObject({ code: 0 });
    expect((await box.piton(['status'], given)).stdout).toContain('canary PreToolUse');
    await box.piton(['server', 'stop'], given);
  });

  it('keeps the settings of the person byte for byte through an old version and back', async () => {
    const own = '{\n\t"permissions": { "allow": ["Bash"] } // mine\n}\n';
    box.write('.claude/settings.json', own);
    const given = withAgent('2.1.72');
    await box.piton(['init', '--yes'], given);
    expect(box.read(box.settings)).not.toBe(own);
    await box.piton(['uninstall', '--yes'], given);
    expect(box.read(box.settings)).toBe(own);
  });
});

describe('another version under a registration', () => {
  it('is followed by the next init', async () => {
    await box.piton(['init', '--yes'], withAgent('2.1.72'));
    const given = withAgent('2.1.325');
    await box.piton(['init', '--yes'], given);
    expect(VOIDS.every((name) => name in hooks())).toBe(true);
    expect(handlers().every(({ args }) => args !== undefined)).toBe(true);
  });

  it.each(['2.1.72', '2.1.101'])('that does not run it is no ✓: %s', async (version) => {
    await box.piton(['init', '--yes'], withAgent('2.1.325'));
    const given = withAgent(version);
    const status = await box.piton(['status'], given);
    expect(status.code).toBe(1);
    expect(status.stdout).toContain('✗ Claude Code');
    expect(status.stdout).toContain('lost');
    const doctor = await box.piton(['doctor'], given);
    expect(doctor.code).toBe(1);
    expect(doctor.stdout).toContain('piton init --agent claude');
    expect(doctor.stdout).toContain(version);
  });

  it('that runs it but would take more is said, with the way there', async () => {
    await box.piton(['init', '--yes'], withAgent('2.1.72'));
    const given = withAgent('2.1.325');
    expect((await box.piton(['status'], given)).stdout).toMatch(/2\.1\.325.*piton init --agent claude/s);
    expect((await box.piton(['doctor'], given)).stdout).toContain('Claude Code 2.1.325 has outdated registrations');
  });
});

describe('piton status, doctor and agents name the installed version and what is known of it', () => {
  it.each([
    ['2.1.325', 'proven', undefined],
    ['2.1.101', 'older', 'older than 2.1.325'],
    ['1.0.128', 'too old', 'older than any that was tried'],
    ['2.9.0', 'newer', 'newer than 2.1.325'],
    ['', 'unknown', 'version is not known'],
  ])('%s is %s', async (version, versionClass, text) => {
    const given = withAgent(version);
    await box.piton(['init', '--yes'], given);
    const expected = { version: version || null, versionClass };
    const [status, agent] = await Promise.all([
      box.json<{ agents: object[] }>(['status'], given),
      box.json<object>(['agents', 'claude'], given),
    ]);
    expect(status.agents).toMatchObject([expected]);
    expect(agent).toMatchObject({ installed: expected });
    const [shown, doctor, one, all] = await Promise.all(
      [['status'], ['doctor'], ['agents', 'claude'], ['agents']].map((args) => box.piton(args, given)),
    );
    for (const said of [shown, doctor, one]) {
      if (text === undefined) expect(said?.stdout).not.toMatch(/older|newer|not known/);
      else expect(said?.stdout).toContain(text);
    }
    expect(all?.stdout).toMatch(version === '' ? /claude .*\?/ : new RegExp(`claude .*${version.replaceAll('.', '\\.')}`));
  });
});

describe('an update under a registration', () => {
  /** A prompt of a session whose transcript names the version that runs, and what the person is shown with the answer. */
  async function prompt(session: string, version: string): Promise<string> {
    const transcript = box.write(
      `.claude/projects/p/${session}.jsonl`,
      `{"type":"summary"}\n{"type":"user","version":"${version}","message":{"role":"user","content":"hi"}}\n{"cut`,
    );
    const payload = { ...claude.prompt(session, box.home, 'hi'), transcript_path: transcript };
    const answer = await fire(box, payload);
    return answer === '' ? '' : ((JSON.parse(answer) as { systemMessage?: string }).systemMessage ?? '');
  }
  const seen = (): string =>
    existsSync(join(box.state, 'agent-versions', 'seen.json')) ? box.read(join(box.state, 'agent-versions', 'seen.json')) : '';

  it('is said once to the person, at a later event, with the way to follow it', async () => {
    await box.piton(['init', '--yes'], withAgent('2.1.72'));
    expect(await prompt('first', '2.1.325')).toBe(''); // nothing waits for it
    await eventually(() => seen().includes('2.1.325'));
    const said = await prompt('first', '2.1.325');
    expect(said).toContain('2.1.72');
    expect(said).toContain('2.1.325');
    expect(said).toContain('piton init --agent claude');
    for (const session of ['first', 'second', 'second', 'third', 'third']) expect(await prompt(session, '2.1.325')).toBe('');
  });

  it('is said again for the next one, and no more after init', async () => {
    await box.piton(['init', '--yes'], withAgent('2.1.72'));
    await prompt('first', '2.1.325');
    await eventually(() => seen().includes('2.1.325'));
    await prompt('first', '2.1.325');
    await box.piton(['init', '--yes'], withAgent('2.1.325'));
    await prompt('second', '2.1.101');
    await eventually(() => seen().includes('2.1.101'));
    expect(await prompt('second', '2.1.101')).toContain('2.1.101');
    await prompt('third', '2.1.325');
    await eventually(() => seen().includes('2.1.325'));
    expect(await prompt('third', '2.1.325')).toBe('');
  });

  it('to a version that takes the same is noted, and not said', async () => {
    await box.piton(['init', '--yes'], withAgent('2.1.325'));
    await prompt('first', '2.1.327');
    await eventually(() => seen().includes('2.1.327'));
    expect(await prompt('first', '2.1.327')).toBe('');
  });

  it('tells a version that the program does not', async () => {
    const silent = withAgent('');
    await box.piton(['init', '--yes'], silent);
    await prompt('first', '2.1.101');
    await eventually(() => seen().includes('2.1.101'));
    expect((await box.json<{ agents: object[] }>(['status'], silent)).agents).toMatchObject([
      { version: '2.1.101', versionClass: 'older' },
    ]);
  });
});
