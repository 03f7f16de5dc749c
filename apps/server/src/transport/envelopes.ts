import { randomBytes } from 'node:crypto';
import { type Agent, type Envelope, ulid, upgradeEnvelope } from '@piton/contracts';
import { bootId } from '../process/boot-id.ts';
import type { FrameHandler } from './frame-handler.ts';
import type { EnvelopeAnswer } from './http.ts';

const refused = (status: 400 | 422, error: string): EnvelopeAnswer => ({ status, body: { decision: 'observe', error } });

/** `POST /v1/envelopes`: every answer has a decision. An invalid envelope gets `observe` and the reason. */
export function envelopeRoute(
  handler: FrameHandler,
  agents: (id: string) => Agent | undefined,
): (body: unknown) => Promise<EnvelopeAnswer> {
  return async (body) => {
    const upgraded = upgradeEnvelope(body);
    if (!upgraded.ok) return refused(upgraded.problem === 'newer' ? 422 : 400, upgraded.error);
    // zod takes 20 ms to load, and most servers never see an envelope over HTTP.
    const { envelopeSchema } = await import('@piton/contracts/schemas');
    const parsed = envelopeSchema.safeParse(upgraded.value);
    if (!parsed.success)
      return refused(400, parsed.error.issues.map((issue) => `${issue.path.join('.') || 'envelope'}: ${issue.message}`).join('; '));
    const envelope = parsed.data as Envelope;
    const agent = agents(envelope.provider);
    if (agent === undefined) return refused(400, `provider: no agent is named ${envelope.provider}`);
    const wallMs = Date.parse(envelope.receivedAt);
    const clock = { wallUs: BigInt(wallMs) * 1000n, monotonicUs: process.hrtime.bigint() / 1000n, bootId: bootId() };
    const result = await handler.envelope(envelope, agent, ulid(Date.now(), randomBytes(10)), clock);
    return 'attach' in result ? { status: 202, body: result } : { status: 200, body: result.decision };
  };
}
