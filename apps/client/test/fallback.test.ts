import { chmodSync, existsSync, mkdirSync, readdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { GuardedPlaces, HookDefinition } from '@piton/hooks';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { launch, makeRuntime, type Runtime } from './runtime.ts';
import { scriptedServer } from './scripted-server.ts';

const LAST_RESORT = '{"the exact bytes":"of the native deny"}';

let runtime: Runtime;
beforeEach(async () => {
  runtime = await makeRuntime();
  runtime.setBackoff();
  runtime.setDeny('claude.PreToolUse', LAST_RESORT);
});
afterEach(() => runtime.remove());

function guard(shell: string, over: Partial<HookDefinition> = {}): HookDefinition {
  const source = join(runtime.project, `${over.name ?? 'guard'}.sh`);
  writeFileSync(source, `#!/bin/sh\n${shell}\n`);
  chmodSync(source, 0o755);
  return {
    id: 'project:pre-tool-use/guard',
    name: 'guard',
    scope: 'project',
    event: 'pre_tool_use',
    source,
    argv: [source],
    env: {},
    matcher: '',
    timeoutMs: 15_000,
    enabled: true,
    observe: false,
    failClosed: true,
    injectOutput: undefined,
    may: [],
    root: runtime.project,
    status: { kind: 'ready' },
    ...over,
  };
}

/** As the server notes where sessions began. */
function setSessions(...lines: string[]): void {
  mkdirSync(runtime.places.environment, { recursive: true, mode: 0o700 });
  writeFileSync(join(runtime.places.environment, 'session-roots.jsonl'), lines.map((line) => `${line}\n`).join(''));
}

function setSnapshot(...hooks: HookDefinition[]): void {
  writeSnapshot({ version: 1, hooks });
}

function writeSnapshot(snapshot: object): void {
  mkdirSync(runtime.places.environment, { recursive: true, mode: 0o700 });
  writeFileSync(join(runtime.places.environment, 'registry.json'), JSON.stringify(snapshot));
}

/** As the server writes it: what agents must leave alone. */
const ownPlaces = (): GuardedPlaces => ({
  directories: [runtime.places.home],
  userFiles: [],
  projectFiles: [],
  gitHooks: { names: [], mark: 'ours' },
  shared: [],
  variables: {},
  pids: [],
});

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

  it('runs the guard itself, and lets pass what the guard lets pass', async () => {
    setSnapshot(guard('cat >seen.json; echo "$PITON_AGENT $PITON_EVENT $PITON_TOOL_COMMAND" >seen.txt'));
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
    const stdin = JSON.stringify(payloadOf('rm -rf .piton'));
    const hooks = [guard('exit 0')];
    writeSnapshot({ version: 1, hooks, guard: { mode: 'deny', places: ownPlaces() } });
    expect(denial(await fire({ stdin }))).toMatchObject({
      permissionDecision: 'deny',
      permissionDecisionReason: expect.stringContaining('.piton'),
    });
    expect(await fire({ stdin: JSON.stringify(payloadOf('ls .piton')) })).toBe('{}');
    writeSnapshot({ version: 1, hooks, guard: { mode: 'off', places: ownPlaces() } });
    expect(await fire({ stdin })).toBe('{}');
  });

  it('denies in the agent’s own words what the guard denies', async () => {
    setSnapshot(guard('echo "not in here" >&2; exit 2'));
    expect(denial(await fire())).toEqual({
      hookEventName: 'PreToolUse',
      permissionDecision: 'deny',
      permissionDecisionReason: 'not in here',
    });
  });

  it('denies when the guard crashes', async () => {
    setSnapshot(guard('kill -s KILL $$'));
    expect(denial(await fire())).toMatchObject({ permissionDecision: 'deny' });
  });

  it('denies when the guard cannot be started', async () => {
    const gone = guard('exit 0');
    rmSync(gone.source);
    setSnapshot(gone);
    expect(denial(await fire())).toMatchObject({ permissionDecision: 'deny' });
  });

  it('denies when the guard is too slow', async () => {
    setSnapshot(guard('sleep 30', { timeoutMs: 300 }));
    expect(denial(await fire())).toMatchObject({ permissionDecision: 'deny' });
  });

  it('does not ask a guard about a tool that it does not match', async () => {
    setSnapshot(guard('touch asked; exit 2', { matcher: 'Write' }));
    expect(await fire()).toBe('{}');
    expect(existsSync(join(runtime.project, 'asked'))).toBe(false);
  });

  it('asks a guard of the kind of tool', async () => {
    setSnapshot(guard('exit 2', { event: 'pre_shell_execution' }));
    expect(denial(await fire())).toMatchObject({ permissionDecision: 'deny' });
  });

  it('does not ask a guard of another project, and asks that of the user', async () => {
    setSnapshot(guard('exit 2', { root: `${runtime.project}-other` }));
    expect(await fire()).toBe('{}');
    setSnapshot(guard('exit 2', { root: null, scope: 'user' }));
    expect(denial(await fire())).toMatchObject({ permissionDecision: 'deny' });
  });

  it('keeps a guard in force below its project and after the agent went elsewhere', async () => {
    setSnapshot(guard('exit 2'));
    const below = join(runtime.project, 'deep', 'er');
    mkdirSync(below, { recursive: true });
    const elsewhere = JSON.stringify({ ...payloadOf('ls'), cwd: '/' });
    expect(denial(await fire({ cwd: below }))).toMatchObject({ permissionDecision: 'deny' });
    expect(denial(await fire({ cwd: below, stdin: elsewhere }))).toMatchObject({ permissionDecision: 'deny' });
  });

  describe('wherever the agent is', () => {
    const away = (over: object = {}) => fire({ cwd: '/', stdin: JSON.stringify({ ...payloadOf('ls'), cwd: '/', ...over }) });

    it('denies nothing where no guard is in force, or none matches', async () => {
      setSnapshot(guard('touch asked; exit 2'));
      const beside = `${runtime.project}-beside`;
      mkdirSync(beside);
      expect(await away()).toBe('{}');
      expect(await fire({ cwd: beside, stdin: JSON.stringify({ ...payloadOf('ls'), cwd: beside }) })).toBe('{}');
      setSnapshot();
      expect(await fire()).toBe('{}');
      setSnapshot(guard('touch asked; exit 2', { matcher: 'Write' }));
      expect(await fire()).toBe('{}');
      expect(existsSync(join(runtime.project, 'asked'))).toBe(false);
    });

    it('keeps a guard in force by the root of the session, wherever the agent went', async () => {
      setSnapshot(guard('exit 2'));
      for (const root of [runtime.project, join(runtime.project, 'deep', 'gone')]) {
        setSessions('["claude:s0","/"]', JSON.stringify(['claude:s1', root]), '["claude:s2","/"]', '["codex:s1","/"]');
        expect(denial(await away())).toMatchObject({ permissionDecision: 'deny' });
        expect(await away({ session_id: 's2' })).toBe('{}');
        expect(await away({ session_id: 's9' })).toBe('{}');
      }
    });

    it('takes the last line of a session, whatever else stands there', async () => {
      setSnapshot(guard('exit 2'));
      const here = JSON.stringify(['claude:s1', runtime.project, { of: 'a later version' }]);
      setSessions('["claude:s1","/"]', '', 'null', '{"a":1}', '["claude:s1",null]', here, '["claude:s7","/x');
      expect(denial(await away())).toMatchObject({ permissionDecision: 'deny' });
      setSessions(here, '["claude:s1","/",1,2]');
      expect(await away()).toBe('{}');
    });

    it('knows a project that was reached by a link', async () => {
      setSnapshot(guard('exit 2'));
      const link = `${runtime.project}-link`;
      symlinkSync(runtime.project, link);
      expect(denial(await away({ cwd: link }))).toMatchObject({ permissionDecision: 'deny' });
      setSessions(JSON.stringify(['claude:s1', join(link, 'gone')]));
      expect(denial(await away())).toMatchObject({ permissionDecision: 'deny' });
    });

    it('asks every guard where nobody can say where the session began', async () => {
      const torn = ['["claude:s1","/some', '["claude:s2","/"]', `["claude:s1","${runtime.project}["claude:s3","/"]`];
      const unsure = [
        () => mkdirSync(join(runtime.places.environment, 'session-roots.jsonl')),
        ...torn.map((line) => () => {
          rmSync(join(runtime.places.environment, 'session-roots.jsonl'), { recursive: true, force: true });
          setSessions(line);
        }),
      ];
      const said: unknown[] = [];
      for (const make of unsure) {
        setSnapshot(guard('exit 2'));
        make();
        said.push((await away()) === '{}' ? 'nothing' : 'deny');
      }
      // The third tells of another session.
      expect(said).toEqual(['deny', 'deny', 'nothing', 'deny']);
      setSnapshot(guard('exit 0'));
      expect(await away()).toBe('{}');
      setSnapshot(guard('kill -s KILL $$'));
      expect(denial(await away())).toMatchObject({ permissionDecision: 'deny' });
      setSnapshot(guard('exit 2', { event: 'stop' }));
      expect(await away()).toBe('{}');
    });

    it.each(['broken', 'not-executable'] as const)('denies for a guard that is %s, in its project only', async (kind) => {
      setSnapshot(guard('touch asked', { status: { kind, note: 'it is out of order' } }));
      expect(denial(await fire())).toMatchObject({
        permissionDecision: 'deny',
        permissionDecisionReason: expect.stringContaining('it is out of order'),
      });
      expect(await away()).toBe('{}');
      expect(existsSync(join(runtime.project, 'asked'))).toBe(false);
    });

    it('denies as a server would where the agent is in a directory that cannot be', async () => {
      setSnapshot(guard('echo asked >&2; exit 2', { root: null, scope: 'user' }));
      writeFileSync(join(runtime.project, 'file'), '');
      const loop = join(runtime.project, 'loop');
      symlinkSync(loop, loop);
      for (const cwd of [join(runtime.project, 'file', 'below'), join(loop, 'below'), '']) {
        const said = await fire({ stdin: JSON.stringify({ ...payloadOf('ls'), cwd }) });
        expect(denial(said)).toMatchObject({ permissionDecision: 'deny' });
        expect(said).not.toBe(LAST_RESORT);
      }
    });
  });

  it('is silent where no guard could be, and runs none', async () => {
    setSnapshot(guard('touch asked; exit 2'));
    rmSync(join(runtime.places.environment, 'deny'), { recursive: true });
    expect(await fire()).toBe('');
    expect(existsSync(join(runtime.project, 'asked'))).toBe(false);
  });

  it('prints the last resort where the server left no snapshot', async () => {
    expect(await fire()).toBe(LAST_RESORT);
  });

  it('prints the last resort where the snapshot cannot be read', async () => {
    for (const text of ['', '{"version":1,"hooks"', '{"version":2,"hooks":[]}', '{"version":1}']) {
      writeFileSync(join(runtime.places.environment, 'registry.json'), text);
      expect(await fire()).toBe(LAST_RESORT);
    }
  });

  it('prints the last resort for an event that nobody can read', async () => {
    setSnapshot(guard('exit 0', { matcher: 'Bash' }));
    expect(await fire({ stdin: 'not JSON' })).toBe(LAST_RESORT);
    expect(await fire({ stdin: '' })).toBe(LAST_RESORT);
  });

  it('prints the last resort where the fallback is missing', async () => {
    setSnapshot(guard('exit 0'));
    rmSync(join(runtime.runtime, 'fallback.cjs'));
    expect(await fire()).toBe(LAST_RESORT);
  });

  it('prints the last resort, in time, when there is no time left', async () => {
    setSnapshot(guard('sleep 30', { timeoutMs: 60_000 }));
    const server = await scriptedServer(runtime.places, (visit) => visit.ack());
    expect(await fire({ timeoutMs: 1500 })).toBe(LAST_RESORT);
    await server.close();
  });

  it('runs the guard where the server hangs', async () => {
    setSnapshot(guard('exit 2'));
    const server = await scriptedServer(runtime.places, () => undefined, { pulse: false });
    expect(denial(await fire())).toMatchObject({ permissionDecision: 'deny' });
    await server.close();
  });

  it('does not let a guard that fires events call itself for ever', async () => {
    setSnapshot(guard('touch asked; exit 0'));
    expect(denial(await fire({ env: { PITON_DEPTH: '3', PITON_RUN: '01ARZ3NDEKTSV4RRFFQ69G5FAV' } }))).toMatchObject({
      permissionDecision: 'deny',
    });
    expect(existsSync(join(runtime.project, 'asked'))).toBe(false);
  });
});

describe('the client as a stand-in for the server', () => {
  const standIn = (file: string, line: readonly string[] = ['claude', 'PreToolUse', 'user', '20000', '-']) =>
    launch({ argv: [process.execPath, runtime.client, '--fallback', file, ...line], cwd: runtime.project, stdin: '' }).finished;
  const journalFile = async (): Promise<string> => {
    await launch({
      argv: [runtime.places.forwarder, 'claude', 'PreToolUse', 'user', '60000', '-'],
      cwd: '/',
      stdin: JSON.stringify(payloadOf('ls')),
    }).finished;
    return join(runtime.places.journal, readdirSync(runtime.places.journal)[0] ?? '');
  };

  it('answers for the event in the journal, and leaves it there', async () => {
    setSnapshot(guard('echo no >&2; exit 2'));
    const file = await journalFile();
    const finished = await standIn(file);
    expect(finished).toMatchObject({ code: 0, stderr: '' });
    expect(finished.stdout).toContain('"permissionDecision":"deny"');
    expect(existsSync(file)).toBe(true);
  });

  it('answers that nothing is denied where no guard is in force', async () => {
    setSnapshot(guard('exit 2', { root: `${runtime.project}-other` }));
    setSessions(JSON.stringify(['claude:s1', runtime.project]));
    expect(await standIn(await journalFile())).toEqual({ code: 0, stdout: '{}', stderr: '' });
  });

  it('fails without a word where it cannot answer', async () => {
    const silence = { code: 1, stdout: '', stderr: '' };
    const file = await journalFile();
    expect(await standIn(file)).toEqual(silence); // no snapshot
    setSnapshot(guard('exit 0'));
    expect(await standIn(join(runtime.project, 'no-such-file'))).toEqual(silence);
    expect(await standIn(file, ['codex', 'PreToolUse', 'user', '20000', '-'])).toEqual(silence);
    writeFileSync(file, 'PTN\u0001 and garbage');
    expect(await standIn(file)).toEqual(silence);
  });
});
