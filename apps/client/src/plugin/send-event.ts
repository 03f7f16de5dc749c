import { encodeFrame, type Frame, giveUpAfter, MAGIC, MESSAGE, message, PAYLOAD_LIMIT } from '@piton/contracts';
import type { Places } from '@piton/contracts/places';
import { countLosses, type End, type Line } from './call.ts';
import { pause, sinceStart } from './clock.ts';
import { connect } from './connection.ts';
import { converse } from './conversation.ts';
import { runForwarder, startServer } from './forwarder.ts';
import { buildFrame } from './frame.ts';
import { findDeny } from './last-resort.ts';

/** A server takes some 30 ms to listen. */
const START_MS = 5000;
const RETRY_MS = 5;

/** One event inside an agent. */
export interface PluginEvent {
  readonly places: Places;
  readonly forwarder: string;
  readonly registration: Line;
  readonly payload: Buffer;
  readonly cwd: string;
}

/** The answer's text: from the server without a process, else through a forwarder, else what must hold without either. */
export async function sendEvent(event: PluginEvent): Promise<string> {
  const deadline = sinceStart() + giveUpAfter(event.registration.timeoutMs);
  const reply = await ask(event, deadline);
  if (reply.end === 'answered') return reply.text;
  const text = reply.end === 'late' ? undefined : await runForwarder(event, deadline);
  return text ?? findDeny(event) ?? '';
}

type Taken = Parameters<typeof converse>[4];
type Reply = { readonly end: 'answered'; readonly text: string } | { readonly end: Exclude<End, 'answered'> };

async function ask(event: PluginEvent, deadline: number): Promise<Reply> {
  if (event.payload.length > PAYLOAD_LIMIT) return { end: 'refused' };
  const frame = await buildFrame(event);
  const taken = { acked: false };
  let reply = await send(frame, event, deadline, taken);
  const mayAskAgain = countLosses();
  // The same stamp: by a forwarder it would be another event.
  while (reply.end === 'lost' && mayAskAgain(taken.acked)) {
    startServer(event.forwarder);
    taken.acked = false;
    reply = await sendWhenThere({ ...frame, resent: true }, event, deadline, taken);
  }
  return reply;
}

async function sendWhenThere(frame: Frame, event: PluginEvent, deadline: number, taken: Taken): Promise<Reply> {
  for (const until = sinceStart() + START_MS; ; await pause(RETRY_MS)) {
    const reply = await send(frame, event, deadline, taken);
    if (reply.end !== 'absent' || sinceStart() > until) return reply;
  }
}

async function send(frame: Frame, event: PluginEvent, deadline: number, taken: Taken): Promise<Reply> {
  const connected = await connect(event.places, deadline);
  if ('end' in connected) return connected;
  const opening = Buffer.concat([MAGIC, message(MESSAGE.frame, encodeFrame(frame))]);
  const reply = await converse(connected.socket, opening, event.places, deadline, taken);
  return reply.end === 'answered' ? { end: 'answered', text: Buffer.from(reply.done.stdout).toString('utf8') } : reply;
}
