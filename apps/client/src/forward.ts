import { encodeFrame, giveUpAfter, MAGIC, MESSAGE, message } from '@piton/contracts';
import { type Call, countLosses, type End, type Line, leftMs } from './call.ts';
import { type Connected, connect } from './connection.ts';
import { converse, runHere } from './conversation.ts';
import { buildFrame } from './frame.ts';
import { findPlaces, homeIsOurs } from './home.ts';
import { markDenied, writeJournal } from './journal.ts';
import { findDeny } from './last-resort.ts';
import { writeWhole } from './output.ts';
import { readPayload } from './payload.ts';
import { isTerminal } from './terminal.ts';

const NOTHING = { bytes: Buffer.alloc(0), size: 0, late: false };

/** One event, from the agent's stdin to its answer: `docs/protocol.md`, "What a forwarder does". */
export async function forward(registration: Line, args: readonly string[]): Promise<void> {
  const deadline = giveUpAfter(registration.timeoutMs);
  // A terminal is no agent: reading it would take the person's keys.
  const places = findPlaces();
  const ours = places !== undefined && homeIsOurs(places);
  // Before we read: the server takes the connection in while the payload is still on its way.
  const connecting = ours ? connect(places, deadline) : undefined;
  const payload = (await isTerminal(0)) ? NOTHING : await readPayload(deadline);
  if (!ours) return;
  const call: Call = {
    places,
    registration,
    deadline,
    frame: await buildFrame(registration, args, payload),
    journalFile: null,
    acked: false,
  };
  let end: End = 'late';
  if (!payload.late) {
    end = await deliver(call, await connecting);
    const mayAskAgain = countLosses();
    while (end === 'lost' && mayAskAgain(call.acked)) {
      call.frame = { ...call.frame, resent: true };
      call.acked = false;
      end = await deliver(call, undefined);
    }
  }
  if (!call.acked && call.journalFile === null) writeJournal(call);
  await fallBack(call, end !== 'late');
}

async function deliver(call: Call, first: Connected | undefined): Promise<End> {
  let connected = first ?? { end: 'absent' };
  if ('end' in connected && connected.end === 'absent') {
    writeJournal(call);
    connected = await (await import('./server-start.ts')).reachServer(call.places, call.deadline);
  }
  if ('end' in connected) return connected.end;
  const opening = Buffer.concat([MAGIC, message(MESSAGE.frame, encodeFrame(call.frame))]);
  return answer(await converse(connected.socket, opening, call.places, call.deadline, runHere, call), connected.socket);
}

/** Prints the answer and exits, or says why there is none. */
export async function answer(said: Awaited<ReturnType<typeof converse>>, socket: Parameters<typeof converse>[0]): Promise<End> {
  if (said.end !== 'answered') return said.end;
  const { done, inbox } = said;
  // Loaded before the socket is handed over: from there on nothing may be read here.
  const handOver = done.more ? (await import('./afterwards.ts')).handOver : undefined;
  writeWhole(1, Buffer.from(done.stdout));
  writeWhole(2, Buffer.from(done.stderr));
  try {
    handOver?.(socket, inbox.rest());
  } catch {
    // what only observes is lost; the agent has its answer
  }
  process.exit(done.exitCode & 0xff);
}

/** No answer: silence, unless a `fail_closed` hook could have run here. */
async function fallBack(call: Call, mayRunHooks: boolean): Promise<void> {
  const deny = findDeny(call);
  if (deny === undefined) return;
  if (mayRunHooks && call.journalFile !== null) {
    const stop = new AbortController();
    const timer = setTimeout(() => stop.abort(), leftMs(call.deadline));
    const { runFallback } = await import('./fallback-load.ts');
    const { frame, places, journalFile } = call;
    const said = await runFallback({ frame, environment: places.environment, signal: stop.signal, journalFile });
    clearTimeout(timer);
    if (said !== undefined && !stop.signal.aborted) {
      writeWhole(1, Buffer.from(said));
      return;
    }
  }
  writeWhole(1, deny);
  markDenied(call);
}
