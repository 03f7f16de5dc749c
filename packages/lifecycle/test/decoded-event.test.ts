import type { Agent } from '@piton/contracts';
import { describe, expect, it } from 'vitest';
import { type AgentFor, decodeEvent } from '../src/decoded-event.ts';
import { frame, known } from './frames.ts';

/** It also runs the configuration of the other, and identifies itself by a field. */
const guest: Agent = {
  ...known,
  id: 'guest',
  claims: (payload) => (payload as { guest?: boolean } | null)?.guest === true,
  decode: (payload, native) => ({ ...known.decode(payload, native), agent: 'guest' }),
};
const agentFor: AgentFor = (_, payload, native) => (guest.claims?.(payload, native) ? guest : known);

const prompt = { session_id: 's', hook_event_name: 'UserPromptSubmit', prompt: 'hello', cwd: '/' };

describe('a payload that came through the registration of another agent', () => {
  it('is decoded by the agent that claims it', () => {
    expect(decodeEvent(frame({ ...prompt, guest: true }), agentFor, '/home/ann')).toMatchObject({
      agent: guest,
      event: { agent: 'guest', prompt: 'hello' },
    });
    expect(decodeEvent(frame(prompt), agentFor, '/home/ann').agent).toBe(known);
  });
  it('belongs to the agent of the registration if it cannot be read', () => {
    expect(decodeEvent(frame('{ "guest": true'), agentFor, '/home/ann')).toMatchObject({ agent: known, unreadable: true });
  });
});
