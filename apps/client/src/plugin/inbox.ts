import type { Socket } from 'node:net';
import { MessageReader } from '@piton/contracts';

interface Message {
  readonly type: number;
  readonly body: Buffer;
}

export interface Inbox {
  /** The next message, or undefined when the connection has ended. */
  next(): Promise<Message | undefined>;
}

/** The messages of a connection, one after the other. `moved` is called for every chunk of bytes. */
export function openInbox(socket: Socket, moved: () => void): Inbox {
  const reader = new MessageReader();
  const waiting: Message[] = [];
  let over = false;
  let wake: () => void = () => undefined;

  const take = (chunk: Buffer): void => {
    for (const event of reader.push(chunk)) {
      if (event.kind === 'error') over = true;
      else waiting.push(event);
    }
    moved();
    wake();
  };
  const end = (): void => {
    over = true;
    wake();
  };
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
  };
}
