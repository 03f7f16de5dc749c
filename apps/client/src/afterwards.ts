import { spawn } from 'node:child_process';
import { closeSync, mkdtempSync, openSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { MAGIC, MESSAGE, message } from '@piton/contracts';
import { connect } from './connection.ts';
import { runAndReport } from './exec.ts';
import { findPlaces } from './home.ts';
import { type Inbox, openInbox } from './inbox.ts';

const SOCKET_FD = 3;
const WAIT_MS = 600_000;

/**
 * The agent has its answer; what only observes goes on without holding anything of the agent's open. Node cannot fork,
 * so another one takes over the socket, and on its stdin what we had read of it already. Nothing may be read between
 * the two, so this runs without giving up the loop and the caller exits right after.
 */
export function handOver(socket: Socket, rest: Buffer): void {
  const folder = mkdtempSync(join(tmpdir(), 'piton-rest-'));
  const file = join(folder, 'rest');
  writeFileSync(file, rest, { mode: 0o600 });
  const stdin = openSync(file, 'r');
  rmSync(folder, { recursive: true });
  const child = spawn(process.execPath, [process.argv[1] ?? '', '--afterwards'], {
    detached: true,
    stdio: [stdin, 'ignore', 'ignore', socket],
  });
  child.on('error', () => undefined);
  closeSync(stdin);
}

export async function goOn(): Promise<void> {
  const socket = new Socket({ fd: SOCKET_FD, readable: true, writable: true });
  socket.on('error', () => undefined);
  await obey(socket, openInbox(socket, readFileSync(0)));
}

async function obey(socket: Socket, inbox: Inbox): Promise<void> {
  const branches: Promise<void>[] = [];
  for (;;) {
    const patience = setTimeout(() => process.exit(0), WAIT_MS);
    const received = await inbox.next();
    clearTimeout(patience);
    if (received?.type === MESSAGE.exec) await runAndReport(socket, received.body, new AbortController().signal);
    else if (received?.type === MESSAGE.branch) branches.push(branch(received.body));
    else if (received?.type !== MESSAGE.ack) break;
  }
  await Promise.all(branches);
}

/** A command is to run beside ours, over a connection of its own. */
async function branch(ticket: Buffer): Promise<void> {
  const places = findPlaces();
  const connected = places && (await connect(places, WAIT_MS));
  if (connected === undefined || 'end' in connected) return;
  const { socket } = connected;
  const inbox = openInbox(socket, undefined);
  socket.write(Buffer.concat([MAGIC, message(MESSAGE.attach, ticket)]));
  await obey(socket, inbox);
}
