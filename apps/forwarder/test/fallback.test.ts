import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { readFrameFile } from '@piton/contracts';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { BINARIES, type ForwarderHome, layOutHome } from './home.ts';
import { startScriptedServer } from './scripted-server.ts';
import { forward, silence } from './spawned.ts';

const DENY = Buffer.from('{"hookSpecificOutput":{"permissionDecision":"deny"}}\n\n\0\xff no newline at the end', 'latin1');
const denied = { ...silence, stdout: DENY.toString('latin1') };

describe.each(BINARIES)('without an answer, $build', ({ binary }) => {
  const path = binary();
  let home: ForwarderHome;
  let record: string;
  beforeEach(() => {
    home = layOutHome(path);
    home.setBackoff(Date.now() + 60_000);
    record = join(home.root, 'client-was-run');
  });
  afterEach(() => home.remove());

  const guard = (registration = 'claude.PreToolUse'): void => home.setDeny(registration, DENY);

  it('prints the bytes of the deny', async () => {
    guard();
    expect(await forward(home, { stdin: '{}' }).ended).toEqual(denied);
    expect(home.frames().length).toBe(1);
  });

  it('says nothing for another event or agent', async () => {
    guard('claude.Stop');
    guard('codex.PreToolUse');
    expect(await forward(home, { stdin: '{}' }).ended).toEqual(silence);
  });

  it('does not look outside of the deny directory', async () => {
    home.setDeny('../claude.PreToolUse', DENY);
    expect(await forward(home, { stdin: '{}', agent: '../claude' }).ended).toEqual(silence);
  });

  it('runs the client with its journal file and the registration, and prints what that prints', async () => {
    guard();
    home.setNode(
      `printf '%s\\n' "$@" > '${record}'; cp "$3" '${record}.frame'; cat > '${record}.stdin'; printf 'of the client'; echo noise >&2`,
    );
    const call = { stdin: '{"f":1}', variables: 'A,B', args: ['one', 'two words'] };
    expect(await forward(home, call).ended).toEqual({ ...silence, stdout: 'of the client' });
    const [file] = home.journalNames();
    expect(readFileSync(record, 'utf8').trimEnd().split('\n')).toEqual([
      join(home.places.current, 'client.cjs'),
      '--fallback',
      join(home.places.journal, file ?? ''),
      ...['claude', 'PreToolUse', 'user', '20000', 'A,B', 'one', 'two words'],
    ]);
    const read = readFrameFile(readFileSync(`${record}.frame`));
    expect(read.ok && read.frame.payload.toString()).toBe('{"f":1}');
    expect(readFileSync(`${record}.stdin`, 'utf8')).toBe('');
  });

  it('prints nothing when the client says nothing: its hooks have run and let it pass', async () => {
    guard();
    home.setNode('exit 0');
    expect(await forward(home, { stdin: '{}' }).ended).toEqual(silence);
  });

  it.each([
    ['fails', 'printf partly; exit 1'],
    ['dies', 'printf partly; kill -9 $$'],
    ['is too slow', 'printf partly; exec sleep 60'],
  ])('denies when the client %s', async (_name, shell) => {
    guard();
    home.setNode(shell);
    expect(await forward(home, { stdin: '{}', timeoutMs: 1500 }).ended).toEqual(denied);
  });

  it('runs no client where there is no deny', async () => {
    guard('claude.Stop');
    home.setNode(`echo run > '${record}'`);
    expect(await forward(home, { stdin: '{}' }).ended).toEqual(silence);
    expect(existsSync(record)).toBe(false);
  });

  it('denies at the deadline without starting Node', async () => {
    guard();
    home.setNode(`echo run > '${record}'`);
    const server = await startScriptedServer(home, (connection) => connection.acked());
    expect(await forward(home, { stdin: '{}', timeoutMs: 700 }).ended).toEqual(denied);
    expect(existsSync(record)).toBe(false);
    await server.close();
  });

  it('denies over a hung server, too', async () => {
    guard();
    const server = await startScriptedServer(home, () => undefined, { pulse: false });
    expect(await forward(home, { stdin: '{}' }).ended).toEqual(denied);
    await server.close();
  });
});
