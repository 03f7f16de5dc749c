import { chmodSync, existsSync, mkdirSync, readdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { AGENTS } from '@piton/agents';
import { trust, untrust } from '@piton/hooks';
import { hookReading } from '@piton/lifecycle/reading';
import { parseSettings } from '@piton/lifecycle/settings-text';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { launch, makeRuntime, type Runtime } from './runtime.ts';
import { scriptedServer } from './scripted-server.ts';

const LAST_RESORT = '{"the exact bytes":"of the native deny"}';

let runtime: Runtime;
beforeEach(async () => {
  runtime = await makeRuntime();
  runtime.setBackoff();
  runtime.setLastResort(null, { 'claude.PreToolUse': LAST_RESORT });
});
afterEach(() => runtime.remove());

interface Entry {
  readonly event?: string;
  readonly matcher?: string;
  readonly timeout?: number;
}

const guard = (command: string, entry: Entry = {}) => ({ name: 'guard', event: 'pre_tool_use', command, fail_closed: true, ...entry });

/** The user's, as a person writes them. */
function setUserHooks(hooks: readonly object[], more: object = {}): void {
  writeFileSync(join(runtime.places.config, 'settings.json'), JSON.stringify({ ...more, hooks }));
}

/** A project's, trusted as they are. */
function setProjectHooks(hooks: readonly object[], project = runtime.project): void {
  mkdirSync(join(project, '.piton'), { recursive: true });
  writeFileSync(join(project, '.piton', 'settings.json'), JSON.stringify({ hooks }));
  untrust(runtime.places.trust, project, 'all');
  const reading = hookReading(AGENTS, parseSettings);
  const { refused } = trust({ trustDir: runtime.places.trust, ...reading }, project, 'all', { at: new Date().toISOString() });
  expect(refused).toEqual([]);
}

/** As a server notes where sessions began, here or in another environment. */
function setSessions(lines: readonly string[], environment = runtime.places.environment): void {
  mkdirSync(environment, { recursive: true, mode: 0o700 });
  writeFileSync(join(environment, 'session-roots.jsonl'), lines.map((line) => `${line}\n`).join(''));
}

const payloadOf = (command: string) => ({
  session_id: 's1',
  transcript_path: '/nowhere/t.jsonl',
  cwd: runtime.project,
  hook_event_name: 'PreToolUse',
  tool_name: 'Bash',
  tool_input: { command },
  tool_use_id: 'toolu_1',
});

describe('the forwarder without a server, where a guard must hold', () => {
  const fire = async (over: { stdin?: string | Buffer; cwd?: string; timeoutMs?: number; env?: Record<string, string> } = {}) => {
    const line = ['claude', 'PreToolUse', 'user', String(over.timeoutMs ?? 20_000), '-'];
    const stdin = over.stdin ?? JSON.stringify(payloadOf('rm -rf build'));
    const argv = [runtime.places.forwarder, ...line];
    const finished = await launch({ argv, cwd: over.cwd ?? runtime.project, stdin, env: over.env ?? {} }).finished;
    expect({ code: finished.code, stderr: finished.stderr }).toEqual({ code: 0, stderr: '' });
    return finished.stdout;
  };
  const denial = (text: string): unknown => (JSON.parse(text) as { hookSpecificOutput?: object }).hookSpecificOutput;

  const deny = { permissionDecision: 'deny' };

  it('runs the guard itself, and lets pass what the guard lets pass', async () => {
    setProjectHooks([guard('cat >seen.json; echo "$PITON_AGENT $PITON_EVENT $PITON_TOOL_COMMAND" >seen.txt')]);
    expect(await fire()).toBe('{}');
    expect(readFileSync(join(runtime.project, 'seen.txt'), 'utf8')).toBe('claude pre_tool_use rm -rf build\n');
    expect(JSON.parse(readFileSync(join(runtime.project, 'seen.json'), 'utf8'))).toMatchObject({
      tool_name: 'Bash',
      tool_input: { command: 'rm -rf build' },
      piton: { agent: 'claude' },
    });
    expect(runtime.journalled()).toHaveLength(1);
  });

  it('keeps Piton’s own files as the server would, unless the person has switched that off', async () => {
    const stdin = JSON.stringify(payloadOf(`rm -rf ${runtime.places.home}`));
    expect(denial(await fire({ stdin }))).toMatchObject(deny);
    expect(await fire({ stdin: JSON.stringify(payloadOf('ls .piton')) })).toBe('{}');
    setUserHooks([], { guard: 'off' });
    expect(await fire({ stdin })).toBe('{}');
  });

  it('denies in the agent’s own words what the guard denies', async () => {
    setProjectHooks([guard('echo "not in here" >&2; exit 2')]);
    expect(denial(await fire())).toEqual({
      hookEventName: 'PreToolUse',
      permissionDecision: 'deny',
      permissionDecisionReason: 'not in here',
    });
  });

  it.each([
    ['crashes', guard('kill -s KILL $$')],
    ['cannot be started', guard('exec /nowhere/program')],
    ['is too slow', guard('sleep 30', { timeout: 0.3 })],
    ['is one of the kind of tool', guard('exit 2', { event: 'pre_shell_execution' })],
  ])('denies when the guard %s', async (_name, hook) => {
    setProjectHooks([hook]);
    expect(denial(await fire())).toMatchObject(deny);
  });

  it('does not ask a guard about a tool that it does not match', async () => {
    setProjectHooks([guard('touch asked; exit 2', { matcher: 'Write' })]);
    expect(await fire()).toBe('{}');
    expect(existsSync(join(runtime.project, 'asked'))).toBe(false);
  });

  it('does not ask a guard of another project, and asks that of the user', async () => {
    const other = `${runtime.project}-other`;
    mkdirSync(other);
    setProjectHooks([guard('exit 2')], other);
    expect(await fire()).toBe('{}');
    setUserHooks([guard('exit 2')]);
    expect(denial(await fire())).toMatchObject(deny);
  });

  it('runs no hook that was never trusted, and no other hook than required ones', async () => {
    mkdirSync(join(runtime.project, '.piton'));
    writeFileSync(join(runtime.project, '.piton', 'settings.json'), JSON.stringify({ hooks: [guard('touch asked; exit 2')] }));
    setUserHooks([
      { ...guard('touch asked; exit 2'), fail_closed: false },
      { ...guard('touch asked; exit 2'), name: 'off', enabled: false },
    ]);
    expect(await fire()).toBe('{}');
    expect(existsSync(join(runtime.project, 'asked'))).toBe(false);
  });

  it('lets nothing be denied by a hook that was removed since, and asks one that was added', async () => {
    runtime.setLastResort(runtime.project, { 'claude.PreToolUse': LAST_RESORT });
    expect(await fire()).toBe('{}');
    setUserHooks([guard('exit 2')]);
    expect(denial(await fire())).toMatchObject(deny);
    rmSync(join(runtime.places.config, 'settings.json'));
    expect(await fire()).toBe('{}');
  });

  it('keeps a guard in force below its project and after the agent went elsewhere', async () => {
    setProjectHooks([guard('exit 2')]);
    const below = join(runtime.project, 'deep', 'er');
    mkdirSync(below, { recursive: true });
    const elsewhere = JSON.stringify({ ...payloadOf('ls'), cwd: '/' });
    expect(denial(await fire({ cwd: below }))).toMatchObject(deny);
    expect(denial(await fire({ cwd: below, stdin: elsewhere }))).toMatchObject(deny);
  });

  describe('wherever the agent is', () => {
    const away = (over: object = {}) => fire({ cwd: '/', stdin: JSON.stringify({ ...payloadOf('ls'), cwd: '/', ...over }) });

    it('denies nothing where no guard is in force', async () => {
      setProjectHooks([guard('touch asked; exit 2')]);
      const beside = `${runtime.project}-beside`;
      mkdirSync(beside);
      expect(await away()).toBe('{}');
      expect(await fire({ cwd: beside, stdin: JSON.stringify({ ...payloadOf('ls'), cwd: beside }) })).toBe('{}');
      expect(existsSync(join(runtime.project, 'asked'))).toBe(false);
    });

    it('keeps a guard in force by the root of the session, wherever the agent went', async () => {
      setProjectHooks([guard('exit 2')]);
      for (const root of [runtime.project, join(runtime.project, 'deep', 'gone')]) {
        setSessions(['["claude:s0","/"]', JSON.stringify(['claude:s1', root]), '["claude:s2","/"]', '["codex:s1","/"]']);
        expect(denial(await away())).toMatchObject(deny);
        expect(await away({ session_id: 's2' })).toBe('{}');
        expect(await away({ session_id: 's9' })).toBe('{}');
      }
    });

    it('knows sessions that began in another environment of this home', async () => {
      setProjectHooks([guard('exit 2')]);
      setSessions([JSON.stringify(['claude:s1', runtime.project])], join(runtime.places.home, 'env', '0123456789abcdef'));
      setSessions(['["claude:s2","/"]']);
      expect(denial(await away())).toMatchObject(deny);
      expect(await away({ session_id: 's2' })).toBe('{}');
    });

    it('takes the last line of a session, whatever else stands there', async () => {
      setProjectHooks([guard('exit 2')]);
      const here = JSON.stringify(['claude:s1', runtime.project, { of: 'a later version' }]);
      setSessions(['["claude:s1","/"]', '', 'null', '{"a":1}', '["claude:s1",null]', here, '["claude:s7","/x']);
      expect(denial(await away())).toMatchObject(deny);
      setSessions([here, '["claude:s1","/",1,2]']);
      expect(await away()).toBe('{}');
    });

    it('knows a project that was reached by a link', async () => {
      setProjectHooks([guard('exit 2')]);
      const link = `${runtime.project}-link`;
      symlinkSync(runtime.project, link);
      expect(denial(await away({ cwd: link }))).toMatchObject(deny);
      setSessions([JSON.stringify(['claude:s1', join(link, 'gone')])]);
      expect(denial(await away())).toMatchObject(deny);
    });

    it('asks every guard where nobody can say where the session began', async () => {
      setProjectHooks([guard('exit 2')]);
      const torn = ['["claude:s1","/some', '["claude:s2","/"]', `["claude:s1","${runtime.project}["claude:s3","/"]`];
      mkdirSync(join(runtime.places.environment, 'session-roots.jsonl'));
      const said = [await away()];
      rmSync(join(runtime.places.environment, 'session-roots.jsonl'), { recursive: true });
      for (const line of torn) {
        setSessions([line]);
        said.push(await away());
      }
      // The third tells of another session.
      expect(said.map((each) => (each === '{}' ? 'nothing' : 'deny'))).toEqual(['deny', 'deny', 'nothing', 'deny']);
      setProjectHooks([guard('exit 0')]);
      expect(await away()).toBe('{}');
      setProjectHooks([guard('exit 2', { event: 'stop' })]);
      expect(await away()).toBe('{}');
    });

    it('denies for a guard whose trusted copy was changed, in its project only', async () => {
      setProjectHooks([guard('touch asked')]);
      const objects = join(runtime.places.trust, 'objects');
      const copy = join(objects, readdirSync(objects)[0] ?? '');
      chmodSync(copy, 0o700);
      writeFileSync(join(copy, 'more'), 'somebody was here');
      expect(denial(await fire())).toMatchObject(deny);
      expect(await away()).toBe('{}');
      expect(existsSync(join(runtime.project, 'asked'))).toBe(false);
    });

    it('denies as a server would where the agent is in a directory that cannot be', async () => {
      setUserHooks([guard('echo asked >&2; exit 2')]);
      writeFileSync(join(runtime.project, 'file'), '');
      const loop = join(runtime.project, 'loop');
      symlinkSync(loop, loop);
      for (const cwd of [join(runtime.project, 'file', 'below'), join(loop, 'below'), '']) {
        const said = await fire({ stdin: JSON.stringify({ ...payloadOf('ls'), cwd }) });
        expect(denial(said)).toMatchObject(deny);
        expect(said).not.toBe(LAST_RESORT);
      }
    });
  });

  it('is not asked where nothing could be denied', async () => {
    setProjectHooks([guard('touch asked; exit 2')]);
    runtime.setLastResort(null, { 'claude.Stop': LAST_RESORT });
    expect(await fire()).toBe('');
    expect(existsSync(join(runtime.project, 'asked'))).toBe(false);
  });

  it('is asked where nobody has said yet what must hold', async () => {
    rmSync(join(runtime.places.home, 'last-resort'), { recursive: true });
    expect(await fire()).toBe('{}');
    setUserHooks([guard('exit 2')]);
    expect(denial(await fire())).toMatchObject(deny);
  });

  it('prints the last resort where the user’s hooks cannot be seen, or are being edited', async () => {
    writeFileSync(join(runtime.places.config, 'settings.json'), '{ "hooks": [');
    expect(await fire()).toBe(LAST_RESORT);
    rmSync(runtime.places.config, { recursive: true });
    expect(await fire()).toBe(LAST_RESORT);
    runtime.setLastResort(null, { 'claude.PreToolUse': '' });
    expect(await fire()).toBe('{}');
  });

  it('prints the last resort where nobody can tell which projects are trusted', async () => {
    runtime.setLastResort(null, {});
    runtime.setLastResort(runtime.project, { 'claude.PreToolUse': LAST_RESORT });
    expect(await fire()).toBe('{}');
    mkdirSync(runtime.places.trust, { recursive: true });
    writeFileSync(join(runtime.places.trust, 'index.json'), '{');
    expect(await fire()).toBe(LAST_RESORT);
  });

  it('prints the last resort for an event that nobody can read', async () => {
    setUserHooks([guard('exit 0', { matcher: 'Bash' })]);
    expect(await fire({ stdin: 'not JSON' })).toBe(LAST_RESORT);
    expect(await fire({ stdin: '' })).toBe(LAST_RESORT);
  });

  it('prints the last resort where the fallback is missing', async () => {
    rmSync(join(runtime.runtime, 'fallback.cjs'));
    expect(await fire()).toBe(LAST_RESORT);
  });

  it('prints the last resort, in time, when there is no time left', async () => {
    setUserHooks([guard('sleep 30')]);
    const server = await scriptedServer(runtime.places, (visit) => visit.ack());
    expect(await fire({ timeoutMs: 1500 })).toBe(LAST_RESORT);
    await server.close();
  });

  it('runs the guard where the server hangs', async () => {
    setUserHooks([guard('exit 2')]);
    const server = await scriptedServer(runtime.places, () => undefined, { pulse: false });
    expect(denial(await fire())).toMatchObject(deny);
    await server.close();
  });

  it('does not let a guard that fires events call itself for ever', async () => {
    setUserHooks([guard('touch asked; exit 0')]);
    expect(denial(await fire({ env: { PITON_DEPTH: '3', PITON_RUN: '01ARZ3NDEKTSV4RRFFQ69G5FAV' } }))).toMatchObject(deny);
    expect(existsSync(join(runtime.project, 'asked'))).toBe(false);
  });
});

describe('the client as a stand-in for the server', () => {
  const LINE = ['claude', 'PreToolUse', 'user', '20000', '-'];
  const standIn = (file: string, line: readonly string[] = LINE, stdin: string | Buffer = '') =>
    launch({ argv: [process.execPath, runtime.client, '--fallback', file, ...line], cwd: runtime.project, stdin }).finished;
  const journalFile = async (): Promise<string> => {
    const argv = [runtime.places.forwarder, 'claude', 'PreToolUse', 'user', '60000', '-'];
    await launch({ argv, cwd: '/', stdin: JSON.stringify(payloadOf('ls')) }).finished;
    return join(runtime.places.journal, readdirSync(runtime.places.journal).find((name) => name.endsWith('.frame')) ?? '');
  };

  it('answers for the event in the journal, and leaves it there', async () => {
    setUserHooks([guard('echo no >&2; exit 2')]);
    const file = await journalFile();
    const finished = await standIn(file);
    expect(finished).toMatchObject({ code: 0, stderr: '' });
    expect(finished.stdout).toContain('"permissionDecision":"deny"');
    expect(existsSync(file)).toBe(true);
  });

  it('answers for the event on stdin, and leaves nothing behind', async () => {
    setUserHooks([guard('echo no >&2; exit 2')]);
    const file = await journalFile();
    const frame = readFileSync(file);
    rmSync(runtime.places.journal, { recursive: true });
    const finished = await standIn('-', LINE, frame);
    expect(finished).toMatchObject({ code: 0, stderr: '' });
    expect(finished.stdout).toContain('"permissionDecision":"deny"');
    expect(readdirSync(runtime.project)).toEqual([]);
  });

  it('fails without a word where it cannot answer', async () => {
    const silence = { code: 1, stdout: '', stderr: '' };
    const file = await journalFile();
    expect(await standIn(join(runtime.project, 'no-such-file'))).toEqual(silence);
    expect(await standIn('-')).toEqual(silence);
    expect(await standIn(file, ['codex', 'PreToolUse', 'user', '20000', '-'])).toEqual(silence);
    writeFileSync(file, 'PTN\u0001 and garbage');
    expect(await standIn(file)).toEqual(silence);
  });
});
