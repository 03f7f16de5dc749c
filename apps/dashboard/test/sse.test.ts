import { describe, expect, it } from 'vitest';
import { takeMessages } from '../src/api/sse.ts';

const STREAM =
  ': alive\n\nevent: changes\nid: 7\ndata: {"a":1}\n\nid: 8\ndata: first\ndata: second\n\n: alive\n\nevent: reset\r\nid: 9\r\ndata: {"colon": "a: b"}\r\n\r\n';
const MESSAGES = [
  { event: 'changes', id: '7', data: '{"a":1}' },
  { event: 'message', id: '8', data: 'first\nsecond' },
  { event: 'reset', id: '9', data: '{"colon": "a: b"}' },
];

describe('a stream of messages', () => {
  it('is the same wherever it was cut', () => {
    for (let at = 0; at <= STREAM.length; at += 1) {
      const first = takeMessages(STREAM.slice(0, at));
      const second = takeMessages(first.rest + STREAM.slice(at));
      expect([...first.messages, ...second.messages], `cut at ${at}`).toEqual(MESSAGES);
      expect(second.rest).toBe('');
    }
  });

  it('keeps half a message for later', () => {
    expect(takeMessages('id: 1\ndata: x')).toEqual({ messages: [], rest: 'id: 1\ndata: x' });
  });
});
