/** One message of `text/event-stream`. */
export interface StreamMessage {
  readonly event: string;
  readonly id: string;
  readonly data: string;
}

/** Splits what arrives into messages; the rest waits for more. Comment lines are dropped. */
export function takeMessages(buffer: string): { readonly messages: readonly StreamMessage[]; readonly rest: string } {
  const blocks = buffer.replaceAll('\r\n', '\n').split('\n\n');
  const rest = blocks.pop() ?? '';
  const messages = blocks.flatMap((block) => {
    const fields = { event: 'message', id: '', data: [] as string[] };
    for (const line of block.split('\n')) {
      const [, name, value = ''] = /^(\w+): ?(.*)$/s.exec(line) ?? [];
      if (name === 'event') fields.event = value;
      else if (name === 'id') fields.id = value;
      else if (name === 'data') fields.data.push(value);
    }
    return fields.data.length === 0 ? [] : [{ ...fields, data: fields.data.join('\n') }];
  });
  return { messages, rest };
}
