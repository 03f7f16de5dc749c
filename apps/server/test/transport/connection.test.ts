import { mkdtempSync, rmSync } from 'node:fs';
import { connect, createServer, type Server, type Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type ExecResult, MAGIC, MESSAGE, message, resultMessage } from '@piton/contracts';
import type { RunRequest, RunResult } from '@piton/hooks';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { acceptConnection, type Link, LinkLost } from '../../src/transport/connection.ts';

let directory: string;
let server: Server;
let forwarder: Socket;
let link: Promise<Link>;
beforeEach(async () => {
  directory = mkdtempSync(join(tmpdir(), 'piton-connection-'));
  link = new Promise((resolve) => {
    const nothing = (): void => {};
    server = createServer((socket) =>
      acceptConnection(socket, { partial: nothing, attach: nothing, closed: nothing, frame: (_, asking) => resolve(asking) }),
    );
  });
  const path = join(directory, 's');
  await new Promise<void>((resolve) => server.listen(path, resolve));
  forwarder = connect(path);
  forwarder.resume();
  forwarder.write(Buffer.concat([MAGIC, message(MESSAGE.frame)]));
});
afterEach(() => {
  forwarder.destroy();
  server.close();
  rmSync(directory, { recursive: true, force: true });
});

const REQUEST = {
  ...{ argv: ['/h'], stdin: '{}', cwd: '/', set: {}, unset: [], timeoutMs: 1000, stdoutCap: 1, stderrCap: 1 },
} as unknown as RunRequest;
const ANSWERED: ExecResult = {
  ...{ id: 1, exitCode: 0, timedOut: false, stdoutCut: false, stderrCut: false, notStarted: false, durationUs: 1n },
  ...{ stdout: Buffer.alloc(0), stderr: Buffer.from('aside'), answered: true },
};
const ifSilent = { exitCode: 0, stdout: '{}', stderr: '' };

async function resultOf(request: RunRequest, result: ExecResult): Promise<RunResult> {
  const run = (await link).spawn(request);
  forwarder.write(resultMessage(result));
  return run;
}

it('accepts that a forwarder has answered only if it was allowed to', async () => {
  expect(await resultOf({ ...REQUEST, ifSilent }, ANSWERED)).toMatchObject({ answered: true });
});

it.each<[string, RunRequest, ExecResult]>([
  ['was not allowed to', REQUEST, ANSWERED],
  ['reports that the hook failed', { ...REQUEST, ifSilent }, { ...ANSWERED, exitCode: 2 }],
  ['reports output of the hook', { ...REQUEST, ifSilent }, { ...ANSWERED, stdout: Buffer.from('no') }],
  ['reports that the hook timed out', { ...REQUEST, ifSilent }, { ...ANSWERED, timedOut: true }],
])('treats a forwarder as lost that reports an answer and %s', async (_what, request, result) => {
  await expect(resultOf(request, result)).rejects.toThrow(LinkLost);
});
