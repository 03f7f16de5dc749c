import type { Agent } from '@piton/contracts';
import { createRedactor } from '@piton/redact';
import { describe, expect, it } from 'vitest';
import { hear, type Speaker } from '../src/hearing.ts';
import { recordOf } from '../src/recording.ts';
import { frame, known } from './frames.ts';

/** It also runs the configuration of the other, and says so by a field. */
const guest: Agent = {
  ...known,
  id: 'guest',
  claims: (payload) => (payload as { guest?: boolean } | null)?.guest === true,
  decode: (payload, hearing) => ({ ...known.decode(payload, hearing), agent: 'guest' }),
};
const speakerOf: Speaker = (_, payload, hearing) => (guest.claims?.(payload, hearing) ? guest : known);

const prompt = { session_id: 's', hook_event_name: 'UserPromptSubmit', prompt: 'hello', cwd: '/' };

describe('a payload that came through the registration of another agent', () => {
  it('is decoded by the agent that claims it', () => {
    expect(hear(frame({ ...prompt, guest: true }), speakerOf)).toMatchObject({ agent: guest, event: { agent: 'guest', prompt: 'hello' } });
    expect(hear(frame(prompt), speakerOf).agent).toBe(known);
  });
  it('is recorded as that agent’s, with the registration by which it came', () => {
    const redactor = createRedactor({ key: Buffer.alloc(32, 1) });
    const [record] = recordOf(
      frame({ ...prompt, guest: true }),
      { stamp: '01ARZ3NDEKTSV4RRFFQ69G5FAV', kind: 'late' },
      speakerOf,
      redactor,
    );
    expect(record).toMatchObject({ via: `${known.id}:UserPromptSubmit:project`, envelope: { provider: 'guest', providerRef: 's' } });
  });
  it('belongs to whose registration it is where it cannot be read', () => {
    expect(hear(frame('{ "guest": true'), speakerOf)).toMatchObject({ agent: known, unreadable: true });
  });
});
