import type { Agent } from '@piton/contracts';
import { createRedactor } from '@piton/redact';
import { expect, it } from 'vitest';
import { recordOf } from '../../src/record/event-record.ts';
import { frame, known } from '../frames.ts';

it('a payload that came through the registration of another agent is recorded for the agent that sent it, with that registration', () => {
  const guest: Agent = { ...known, id: 'guest', decode: (payload, native) => ({ ...known.decode(payload, native), agent: 'guest' }) };
  const prompt = { session_id: 's', hook_event_name: 'UserPromptSubmit', prompt: 'hello', cwd: '/' };
  const redactor = createRedactor({ key: Buffer.alloc(32, 1) });
  const [record] = recordOf(frame(prompt), { stamp: '01ARZ3NDEKTSV4RRFFQ69G5FAV', kind: 'late' }, () => guest, redactor);
  expect(record).toMatchObject({ via: `${known.id}:UserPromptSubmit:project`, envelope: { provider: 'guest', providerRef: 's' } });
});
