import type { Agent, JsonObject, NativeContext, Reduced } from '@piton/contracts';
import type { RecordedPayload } from '@piton/testing/conformance';
import { describe, expect, it } from 'vitest';
import { AGENTS, agentFor } from '../src/index.ts';
import { answerReaderOf, payloadsOf } from './every-agent.ts';

/** What agents were seen to send where they have nothing to say, and what a next version may send. */
const ODD: readonly (readonly [string, unknown])[] = [
  ['absent', undefined],
  ['empty', ''],
  ['null', null],
  ['a number', 7],
  ['a boolean', true],
  ['a list', []],
  ['an object', {}],
];

interface OddPayload {
  readonly name: string;
  readonly field: string;
  readonly recorded: RecordedPayload;
  readonly payload: JsonObject;
}

/** Every recorded payload with each of its fields odd in every way, one at a time. */
function oddPayloads(agent: Agent): OddPayload[] {
  return payloadsOf(agent).flatMap((recorded) =>
    Object.keys(recorded.payload as JsonObject).flatMap((field) =>
      ODD.map(([how, value]) => {
        const payload: Record<string, unknown> = { ...(recorded.payload as JsonObject) };
        if (value === undefined) delete payload[field];
        else payload[field] = value;
        return { name: `${recorded.name}: ${field} is ${how}`, field, recorded, payload };
      }),
    ),
  );
}

/**
 * VS Code always names a transcript, Copilot CLI in most events does not, and each runs the other's files: what comes through VS Code's
 * registration without that field is Copilot's. Both read the rest alike.
 */
const isCopilots = (id: string, { field, payload }: OddPayload): boolean =>
  id === 'vscode' && field === 'transcript_path' && !('transcript_path' in payload) && !('tool_use_id' in payload);

/**
 * All that the payloads of these have to themselves, before there is a transcript, is one field. Without it the sender is unknown, and
 * is guarded as such: a guard that takes somebody else's word for theirs could be passed.
 */
const OWN_FIELD: Readonly<Record<string, string>> = { grok: 'workspaceRoot', kimi: 'client_type' };
const isUnknown = (id: string, { field, payload }: OddPayload): boolean => field === OWN_FIELD[id] && !(field in payload);

const DENY: Reduced = { decision: 'deny', verdict: 'deny', reason: 'no' };
const UNATTENDED = { attended: false };

const ASKING: ReadonlySet<string> = new Set(['pre_tool_use', 'permission_request', 'user_prompt_submit']);

describe.each(AGENTS.map((agent) => [agent.id, agent] as const))('a payload of %s with one odd field', (id, agent) => {
  const odd = oddPayloads(agent).filter((each) => !isCopilots(id, each));
  const decoded = ({ payload, recorded }: OddPayload) => ({
    now: agent.decode(payload, recorded.context),
    before: agent.decode(recorded.payload, recorded.context),
  });

  /** Those that a guard can stop. What has ended may truly have ended otherwise: an odd field there says success instead of failure. */
  const asking = odd.filter((each) => ASKING.has(decoded(each).before.event));

  it('stays its own', () => {
    const lost = odd.flatMap((each) => {
      const found = agentFor(id, each.payload, each.recorded.context);
      return found?.id === id || (found?.id === 'unknown' && isUnknown(id, each)) ? [] : [`${each.name}: ${found?.id}`];
    });
    expect(lost).toEqual([]);
  });

  it('is the same event where it asks before something happens', () => {
    const changed = asking.flatMap((each) => {
      const { now, before } = decoded(each);
      return now.event === before.event ? [] : [`${each.name}: ${before.event} became ${now.event}`];
    });
    expect(changed).toEqual([]);
  });

  it('is of the same session, unless the field is its id', () => {
    const changed = asking.flatMap((each) => {
      const { now, before } = decoded(each);
      const carriesId = JSON.stringify((each.recorded.payload as JsonObject)[each.field] ?? null).includes(before.sessionId);
      const namesSubagent = /^agent_?id$/i.test(each.field); // a subagent of Copilot's belongs to the session of whoever started it
      return now.sessionId === before.sessionId || carriesId || namesSubagent
        ? []
        : [`${each.name}: ${before.sessionId} became ${now.sessionId}`];
    });
    expect(changed).toEqual([]);
  });

  it('is denied where it was', async () => {
    const read = await answerReaderOf(agent);
    const isDenied = (payload: unknown, context: NativeContext): boolean => {
      const event = agent.decode(payload, context);
      return read(agent.encode(event, DENY, UNATTENDED).answer, event.nativeEvent).denied !== undefined;
    };
    const passed = asking.flatMap(({ name, payload, recorded: { payload: before, context } }) =>
      isDenied(before, context) && !isDenied(payload, context) ? [name] : [],
    );
    expect(passed).toEqual([]);
  });
});
