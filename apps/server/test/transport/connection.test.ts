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
      acceptConnection(socket, { partly: nothing, attach: nothing, closed: nothing, frame: (_, asking) => resolve(asking) }),
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

async function told(request: RunRequest, result: ExecResult): Promise<RunResult> {
  const run = (await link).spawn(request);
  forwarder.write(resultMessage(result));
  return run;
}

it('believes a forwarder that has given the answer that it was handed', async () => {
  expect(await told({ ...REQUEST, ifSilent }, ANSWERED)).toMatchObject({ answered: true });
});

it.each<[string, RunRequest, ExecResult]>([
  ['was handed none', REQUEST, ANSWERED],
  ['says that the hook failed', { ...REQUEST, ifSilent }, { ...ANSWERED, exitCode: 2 }],
  ['says what the hook printed', { ...REQUEST, ifSilent }, { ...ANSWERED, stdout: Buffer.from('no') }],
  ['says that the hook was stopped', { ...REQUEST, ifSilent }, { ...ANSWERED, timedOut: true }],
])('takes a forwarder for lost that says it has answered, and %s', async (_what, request, result) => {
  await expect(told(request, result)).rejects.toThrow(LinkLost);
});
