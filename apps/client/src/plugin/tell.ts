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
export interface Told {
  readonly places: Places;
  readonly forwarder: string;
  readonly registration: Line;
  readonly payload: Buffer;
  readonly cwd: string;
}

/** The answer's text: from the server without a process, else through a forwarder, else what must hold without either. */
export async function tell(told: Told): Promise<string> {
  const deadline = sinceStart() + giveUpAfter(told.registration.timeoutMs);
  const said = await ask(told, deadline);
  if (said.end === 'answered') return said.text;
  const text = said.end === 'late' ? undefined : await runForwarder(told, deadline);
  return text ?? findDeny(told) ?? '';
}

type Taken = Parameters<typeof converse>[4];
type Said = { readonly end: 'answered'; readonly text: string } | { readonly end: Exclude<End, 'answered'> };

async function ask(told: Told, deadline: number): Promise<Said> {
  if (told.payload.length > PAYLOAD_LIMIT) return { end: 'refused' };
  const frame = await buildFrame(told);
  const taken = { acked: false };
  let said = await send(frame, told, deadline, taken);
  const mayAskAgain = countLosses();
  // The same stamp: by a forwarder it would be another event.
  while (said.end === 'lost' && mayAskAgain(taken.acked)) {
    startServer(told.forwarder);
    taken.acked = false;
    said = await sendWhenThere({ ...frame, resent: true }, told, deadline, taken);
  }
  return said;
}

async function sendWhenThere(frame: Frame, told: Told, deadline: number, taken: Taken): Promise<Said> {
  for (const until = sinceStart() + START_MS; ; await pause(RETRY_MS)) {
    const said = await send(frame, told, deadline, taken);
    if (said.end !== 'absent' || sinceStart() > until) return said;
  }
}

async function send(frame: Frame, told: Told, deadline: number, taken: Taken): Promise<Said> {
  const connected = await connect(told.places, deadline);
  if ('end' in connected) return connected;
  const opening = Buffer.concat([MAGIC, message(MESSAGE.frame, encodeFrame(frame))]);
  const said = await converse(connected.socket, opening, told.places, deadline, taken);
  return said.end === 'answered' ? { end: 'answered', text: Buffer.from(said.done.stdout).toString('utf8') } : said;
}
