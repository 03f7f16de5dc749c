import { documentedFields, type Fidelity, type PayloadRow, payloadTable } from '@piton/agents/payload-table';
import type { EventName, JsonObject, PortablePayload } from '@piton/contracts';
import { expect, test } from 'vitest';
import { everyPayloadOf, payloadsOf } from '../../packages/agents/test/every-agent.ts';
import { valuesUnlikeClaude } from './claude-values.ts';
import type { Tale } from './tale.ts';

type Fields = Readonly<Record<string, Fidelity>>;

/** What hooks really read, against the table of the payload: it is made from recordings, and these runs are none of them. */
export function comparePayloads(tale: Tale): void {
  const { agent, driver } = tale;
  const untouched = (): PortablePayload[] => tale.received.filter((payload) => !isChanged(payload));
  test('hooks read each field as the payload table says', () => {
    const rows = payloadTable(agent, payloadsOf(agent), everyPayloadOf(agent));
    const shown = fieldsByEvent(untouched());
    const unseen = [...new Set(rows.map(({ event }) => event))].filter((event) => !shown.has(event) && !driver.unprovoked?.[event]);
    const wrong = [...shown].flatMap(([event, told]) => differences(rows, event, told, driver.untold ?? {}));
    expect([...unseen.map((event) => `${event}: in the table, and in no run`), ...wrong]).toEqual([]);
  });
  test('hooks read values in the words and shapes of Claude Code', () => {
    expect(untouched().length).toBeGreaterThan(0);
    expect([...new Set(untouched().flatMap(valuesUnlikeClaude))]).toEqual([]);
  });
}

/** One hook's new input, or its new output, is what the next one reads: no agent sent it. */
function isChanged({ tool_input: input, tool_response: response, piton }: PortablePayload): boolean {
  const isIn = (value: unknown, text: string): boolean => JSON.stringify(value ?? '').includes(text);
  return ['TOKEN_', '-modify-after'].some((text) => isIn([input, response], text) && !isIn(piton.native, text));
}

/** By the bytes that hooks read and what the agent sent, which lies in them: nothing of ours is asked. */
function fieldsByEvent(received: readonly PortablePayload[]): Map<EventName, Fields> {
  const shown = new Map<EventName, Fields>();
  for (const payload of received) {
    const { event, native } = payload.piton;
    const fields = documentedFields(event);
    if (fields === undefined) continue;
    const known = shown.get(event) ?? {};
    const told = fields.map((field) => [field, both(known[field], fidelityOf(payload[field], fieldIn(native, field)))] as const);
    shown.set(event, Object.fromEntries(told));
  }
  return shown;
}

const fieldIn = (native: unknown, field: string): unknown =>
  typeof native === 'object' && native !== null ? (native as JsonObject)[field] : undefined;

function fidelityOf(value: unknown, native: unknown): Fidelity {
  if (value === undefined || value === null) return 'not told';
  return JSON.stringify(value) === JSON.stringify(native) ? 'exact' : 'translated';
}

/** As in the table: told where one payload tells it, exact where all that tell it do so exactly. */
function both(known: Fidelity | undefined, found: Fidelity): Fidelity {
  if (known === undefined || known === 'not told') return found;
  return found === 'exact' || found === 'not told' ? known : found;
}

/** `untold`: what only other runs than these bring about, and why. */
function differences(rows: readonly PayloadRow[], event: EventName, told: Fields, untold: Readonly<Record<string, string>>): string[] {
  return Object.entries(told).flatMap(([field, seen]) => {
    const row = rows.find((one) => one.event === event && one.field === field)?.fidelity ?? 'no row';
    if (row === seen || (seen === 'not told' && untold[`${event}.${field}`] !== undefined)) return [];
    return [`${event}.${field}: the table says ${row}, the run ${seen}`];
  });
}
