import { encodeFrame, giveUpAfter, MAGIC, MESSAGE, message, PAYLOAD_LIMIT } from '@piton/contracts';
import type { Places } from '@piton/contracts/places';
import type { Line } from '../call.ts';
import { sinceStart } from '../clock.ts';
import { connect } from '../connection.ts';
import { converse } from '../conversation.ts';
import { findDeny } from '../last-resort.ts';
import { runForwarder } from './forwarder.ts';
import { buildFrame } from './frame.ts';

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
  return text ?? findDeny({ ...told, frame: told })?.toString('utf8') ?? '';
}

type Said = { readonly end: 'answered'; readonly text: string } | { readonly end: 'late' | 'unanswered' };

async function ask(told: Told, deadline: number): Promise<Said> {
  if (told.payload.length > PAYLOAD_LIMIT) return { end: 'unanswered' };
  const connected = await connect(told.places, deadline);
  if ('end' in connected) return { end: connected.end === 'late' ? 'late' : 'unanswered' };
  const opening = Buffer.concat([MAGIC, message(MESSAGE.frame, encodeFrame(await buildFrame(told)))]);
  const { socket } = connected;
  const said = await converse(socket, opening, told.places, deadline, null);
  socket.destroy();
  if (said.end === 'answered') return { end: 'answered', text: Buffer.from(said.done.stdout).toString('utf8') };
  return { end: said.end === 'late' ? 'late' : 'unanswered' };
}
