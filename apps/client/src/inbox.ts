import type { Socket } from 'node:net';
import { MESSAGE_LIMIT, MessageReader, type MessageType, message } from '@piton/contracts';

export interface Message {
  readonly type: number;
  readonly body: Buffer;
}

export interface Inbox {
  /** The next message, or undefined when the connection has ended. */
  next(): Promise<Message | undefined>;
  /** All that was read and not yet taken, as it came: for whoever goes on with the socket. */
  rest(): Buffer;
}

/** The messages of a connection, one after the other. `moved` is told of every byte. */
export function openInbox(socket: Socket, before: Buffer = Buffer.alloc(0), moved: () => void = () => undefined): Inbox {
  const reader = new MessageReader();
  const waiting: Message[] = [];
  let partial: Buffer[] = [];
  let partialLength = 0;
  let over = false;
  let wake: () => void = () => undefined;

  const take = (chunk: Buffer): void => {
    partial.push(chunk);
    partialLength += chunk.length;
    let taken = 0;
    for (const event of reader.push(chunk)) {
      if (event.kind === 'error') over = true;
      else {
        waiting.push(event);
        taken += 5 + event.body.length;
      }
    }
    if (taken > 0) {
      // Whatever is left begins in this chunk: the message before it ended there.
      partialLength -= taken;
      partial = partialLength > 0 ? [chunk.subarray(chunk.length - partialLength)] : [];
    }
    if (partialLength > MESSAGE_LIMIT + 5) over = true;
    moved();
    wake();
  };
  const end = (): void => {
    over = true;
    wake();
  };
  if (before.length > 0) take(before);
  socket.on('data', take).on('end', end).on('close', end).on('error', end);

  return {
    async next() {
      while (waiting.length === 0 && !over) {
        await new Promise<void>((resolve) => {
          wake = resolve;
        });
      }
      return waiting.shift();
    },
    rest: () => Buffer.concat([...waiting.map(({ type, body }) => message(type as MessageType, body)), ...partial]),
  };
}
