import { readFileSync } from 'node:fs';
import type { Exec, ExecResult } from '@piton/contracts';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { BINARIES, createForwarderHome, type ForwarderHome } from './home.ts';
import { type Connection, execOf, startScriptedServer } from './scripted-server.ts';
import { forward, type Spawned } from './spawned.ts';

const ifSilent = { exitCode: 3, stdout: Buffer.from('{"quiet":true}'), stderr: Buffer.from('told') };
const QUIET: Spawned = { code: 3, signal: null, stdout: '{"quiet":true}', stderr: 'told' };
const ASKED: Spawned = { code: 0, signal: null, stdout: 'asked', stderr: '' };

describe.each(BINARIES)('the answer that comes with a command, in $build', ({ binary }) => {
  const path = binary();
  let home: ForwarderHome;
  beforeEach(() => {
    home = createForwarderHome(path);
  });
  afterEach(() => home.remove());

  /** What the agent got, and what the server was told. */
  async function told(exec: Exec, after: (connection: Connection) => unknown = (connection) => connection.done({ stdout: 'asked' })) {
    let result: ExecResult | undefined;
    const server = await startScriptedServer(home, async (connection) => {
      await connection.acked();
      result = await connection.exec(exec);
      if (!result.answered) await after(connection);
    });
    const ended = await forward(home, { stdin: '{}' }).ended;
    await server.connections[0]?.closed;
    await server.close();
    return { ended, result };
  }
  const shell = (text: string, more: Partial<Exec> = {}): Exec => execOf(['/bin/sh', '-c', text], { ifSilent, ...more });

  it('is given where the command exits with 0 and prints nothing; the server hears of it afterwards', async () => {
    const { ended, result } = await told(shell('cat > /dev/null', { stdin: Buffer.from('read') }));
    expect(ended).toEqual(QUIET);
    expect(result).toMatchObject({ answered: true, exitCode: 0, stdout: Buffer.alloc(0) });
  });

  it('does not wait for what is said on stderr, and passes it on', async () => {
    const { ended, result } = await told(shell('echo aside >&2'));
    expect(ended).toEqual(QUIET);
    expect(result).toMatchObject({ answered: true, stderr: Buffer.from('aside\n') });
  });

  it.each([
    ['prints', 'echo hello', {}],
    ['prints a blank', 'printf " "', {}],
    ['fails', 'exit 1', {}],
    ['blocks', 'exit 2', {}],
    ['is ended by a signal', 'kill -9 $$', {}],
    ['takes too long', 'sleep 20', { timeoutMs: 50 }],
    ['prints more than is kept', 'echo hello', { stdoutCap: 0 }],
    ['complains at length', 'echo hello >&2', { stderrCap: 0 }],
  ])('is not given where it %s: the server is asked', async (_what, text, more) => {
    const { ended, result } = await told(shell(text, more));
    expect(ended).toEqual(ASKED);
    expect(result?.answered).toBeUndefined();
  });

  it('is not given where the command cannot be started', async () => {
    const { ended, result } = await told(execOf(['/nowhere/at/all'], { ifSilent }));
    expect(ended).toEqual(ASKED);
    expect(result).toMatchObject({ notStarted: true });
  });

  it('may be empty', async () => {
    const nothing = { exitCode: 0, stdout: Buffer.alloc(0), stderr: Buffer.alloc(0) };
    const { ended } = await told(shell('true', { ifSilent: nothing }));
    expect(ended).toEqual({ code: 0, signal: null, stdout: '', stderr: '' });
  });

  it('is given though the server is gone by then, and the command does not run twice', async () => {
    const runs = `${home.root}/runs`;
    const server = await startScriptedServer(home, async (connection) => {
      await connection.acked();
      void connection.exec(shell(`echo ran >> ${runs}; sleep 0.3`)).catch(() => {});
      setTimeout(() => connection.socket.destroy(), 100);
    });
    expect(await forward(home, { stdin: '{}' }).ended).toEqual(QUIET);
    expect(readFileSync(runs, 'utf8')).toBe('ran\n');
    await server.close();
  });
});
