import { existsSync, mkdirSync, readFileSync, renameSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { readFrameFile } from '@piton/contracts';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { BINARIES, createForwarderHome, type ForwarderHome, lastResort } from './home.ts';
import { startScriptedServer } from './scripted-server.ts';
import { forward, silence } from './spawned.ts';

const DENY = Buffer.from('{"hookSpecificOutput":{"permissionDecision":"deny"}}\n\n\0\xff no newline at the end', 'latin1');
const denied = { ...silence, stdout: DENY.toString('latin1') };

describe.each(BINARIES)('without an answer, $build', ({ binary }) => {
  const path = binary();
  let home: ForwarderHome;
  let record: string;
  beforeEach(() => {
    home = createForwarderHome(path);
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
    home.setLastResort(
      'user',
      lastResort({ 'claude.Stop': DENY, 'codex.PreToolUse': DENY, 'claude.PreToolUse2': DENY, 'claude.Pre': DENY }),
    );
    expect(await forward(home, { stdin: '{}' }).ended).toEqual(silence);
  });

  it('prints the deny of whichever root has one', async () => {
    home.setDeny('claude.PreToolUse', Buffer.alloc(0));
    home.setLastResort('0123', lastResort({ 'codex.PreToolUse': DENY }));
    home.setLastResort('4567', lastResort({ 'claude.Stop': Buffer.from('another'), 'claude.PreToolUse': DENY }));
    expect(await forward(home, { stdin: '{}' }).ended).toEqual(denied);
  });

  it('prints nothing where only the built-in guard could not be asked', async () => {
    home.setDeny('claude.PreToolUse', Buffer.alloc(0));
    home.setNode(`echo run > '${record}'; exit 1`);
    expect(await forward(home, { stdin: '{}' }).ended).toEqual(silence);
    expect(existsSync(record)).toBe(true);
    expect(home.journalNames().filter((name) => name.endsWith('.denied'))).toEqual([]);
  });

  it.each<[string, (whole: Buffer) => Buffer | null]>([
    ['is missing', () => null],
    ['is empty', () => Buffer.alloc(0)],
    ['is of a later version', (whole) => Buffer.from(whole.toString('latin1').replace('last-resort 1', 'last-resort 2'), 'latin1')],
    ['has bytes after its end', (whole) => Buffer.concat([whole, Buffer.from('x')])],
    ['promises more bytes than it has', () => Buffer.from('piton last-resort 1\nnull\nclaude.PreToolUse 18446744073709551615\nx\n.\n')],
    ['has a length that is none', () => Buffer.from('piton last-resort 1\nnull\nclaude.PreToolUse x\nx\n.\n')],
  ])('asks the client where the user’s file %s, and says nothing where that cannot be asked', async (_name, make) => {
    home.setLastResort('user', make(lastResort({ 'claude.Stop': DENY })));
    home.setNode(`printf 'of the client'`);
    expect(await forward(home, { stdin: '{}' }).ended).toEqual({ ...silence, stdout: 'of the client' });
    home.setNodePath('/nonexistent/node');
    expect(await forward(home, { stdin: '{}', env: { PATH: '/nonexistent' } }).ended).toEqual(silence);
  });

  it.each([
    ['lies in a working tree', 'tree/bin', 'silence'],
    ['is reached by a link into one', 'linked', 'silence'],
    ['came with dependencies', 'plain/node_modules/.bin', 'silence'],
    ['depends on the working directory', 'relative', 'silence'],
    ['lies elsewhere', 'plain/bin', 'of the client'],
    ['lies in the clone of the tool that the recorded one came with', 'tool/v22/bin', 'of the client'],
    ['lies in a working tree inside that clone', 'tool/src/tree/bin', 'silence'],
  ])('asks a Node on PATH that %s, where the recorded one has gone: %s, %s', async (_name, entry, expected) => {
    for (const tree of ['tree', 'tool', 'tool/src/tree']) mkdirSync(join(home.root, tree, '.git'), { recursive: true });
    for (const bin of ['tree/bin', 'plain/bin', 'plain/node_modules/.bin', 'tool/v22/bin', 'tool/src/tree/bin']) {
      mkdirSync(join(home.root, bin), { recursive: true });
      writeFileSync(join(home.root, bin, 'node'), "#!/bin/sh\nprintf 'of the client'\n", { mode: 0o755 });
    }
    symlinkSync(join(home.root, 'tree/bin'), join(home.root, 'linked'));
    home.setDeny('claude.PreToolUse', Buffer.alloc(0));
    home.setNodePath(join(home.root, 'tool/v20/bin/node'));
    const PATH = `:${entry === 'relative' ? 'plain/bin' : join(home.root, entry)}:`;
    const { stdout } = await forward(home, { stdin: '{}', env: { PATH } }).ended;
    expect(stdout).toBe(expected === 'silence' ? '' : expected);
  });

  it('takes a file that was cut anywhere for broken', async () => {
    const whole = lastResort({ 'claude.Stop': Buffer.from('{}') });
    home.setNode(`printf 'of the client'`);
    const heard: string[] = [];
    for (let length = 0; length <= whole.length; length += 7) {
      home.setLastResort('user', whole.subarray(0, length));
      heard.push((await forward(home, { stdin: '{}' }).ended).stdout);
    }
    expect(new Set(heard)).toEqual(new Set(['of the client']));
    home.setLastResort('user', whole);
    expect(await forward(home, { stdin: '{}' }).ended).toEqual(silence);
  });

  it('hands the client the frame on stdin where no journal can be written', async () => {
    guard();
    writeFileSync(join(home.places.home, 'env-is-a-file'), '');
    rmSync(join(home.places.home, 'env'), { recursive: true });
    renameSync(join(home.places.home, 'env-is-a-file'), join(home.places.home, 'env'));
    home.setNode(`printf '%s\\n' "$@" > '${record}'; cat > '${record}.frame'; printf 'of the client'`);
    const stdin = JSON.stringify({ f: 'x'.repeat(300_000) });
    expect(await forward(home, { stdin }).ended).toEqual({ ...silence, stdout: 'of the client' });
    expect(readFileSync(record, 'utf8').split('\n')[2]).toBe('-');
    const read = readFrameFile(readFileSync(`${record}.frame`));
    expect(read.ok && read.frame.payload.toString()).toBe(stdin);
    home.setNode('cat >/dev/null; exit 1');
    expect(await forward(home, { stdin }).ended).toEqual(denied);
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
