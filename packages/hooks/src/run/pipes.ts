import { type ChildProcess, execFile } from 'node:child_process';
import { closeSync, constants, mkdtempSync, openSync, rmSync, writeFileSync } from 'node:fs';
import { Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Readable, Writable } from 'node:stream';

const { O_RDONLY, O_WRONLY, O_NONBLOCK } = constants;

export interface Pipes {
  readonly stdio: 'pipe' | [number, number, number];
  /** After the start: our ends, with `input` on its way. The child's ends are closed here. */
  attach(child: ChildProcess): { readonly stdout: Readable; readonly stderr: Readable; close(): void };
  /** When there was no start. */
  close(): void;
}

/**
 * The child's three streams. Node's own are sockets, which Linux cannot open by name: `cat /dev/stdin` and
 * `echo no >/dev/stderr`, both common in hooks, fail on them. So there the outputs are named pipes and the input is a
 * file, all unlinked at once. (Not a named pipe for the input: opening one by name waits for a writer, and ours is done.)
 */
export async function openPipes(input: Uint8Array): Promise<Pipes> {
  if (process.platform !== 'linux') return sockets(input);
  const opened: number[] = [];
  const open = (path: string, flags: number): number => {
    const fd = openSync(path, flags);
    opened.push(fd);
    return fd;
  };
  const close = (): void => {
    for (const fd of opened) closeSync(fd);
  };
  let folder: string | undefined;
  try {
    folder = mkdtempSync(join(tmpdir(), 'piton-run-'));
    const [stdin, stdout, stderr] = ['0', '1', '2'].map((name) => join(folder as string, name)) as [string, string, string];
    writeFileSync(stdin, input, { mode: 0o600 });
    // The system's, which NixOS has elsewhere: an agent's PATH may begin in the project.
    await new Promise<void>((resolve, reject) =>
      execFile('/usr/bin/env', ['PATH=/usr/bin:/bin:/run/current-system/sw/bin', 'mkfifo', stdout, stderr], (error) =>
        error ? reject(error) : resolve(),
      ),
    );
    // A writer finds its reader there already, so nothing blocks; only our own ends are non-blocking.
    const ours = [open(stdout, O_RDONLY | O_NONBLOCK), open(stderr, O_RDONLY | O_NONBLOCK)] as const;
    const theirs: [number, number, number] = [open(stdin, O_RDONLY), open(stdout, O_WRONLY), open(stderr, O_WRONLY)];
    return {
      stdio: theirs,
      close,
      attach() {
        for (const fd of theirs) closeSync(fd);
        const reader = (fd: number): Socket => new Socket({ fd, readable: true, writable: false });
        return { stdout: reader(ours[0]), stderr: reader(ours[1]), close: () => undefined };
      },
    };
  } catch {
    close();
    return sockets(input);
  } finally {
    if (folder !== undefined) rmSync(folder, { recursive: true, force: true });
  }
}

const sockets = (input: Uint8Array): Pipes => ({
  stdio: 'pipe',
  close: () => undefined,
  attach(child) {
    const stdin = child.stdin as Writable;
    stdin.on('error', () => undefined); // who does not read its stdin is no error
    stdin.end(input);
    return { stdout: child.stdout as Readable, stderr: child.stderr as Readable, close: () => stdin.destroy() };
  },
});
