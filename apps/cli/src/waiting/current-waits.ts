import { findAgent } from '@piton/agents';
import { type OpenWait, waitsAtEnd } from '@piton/context';
import { capabilityOf, type JsonObject } from '@piton/contracts';
import type { Waiting } from '@piton/contracts/page';
import type { EventDetail, EventHeader, SessionSummary, Store } from '@piton/store';

const MAX_SESSIONS = 100;
/** A request that so many events of its session have come after is not found: that many come of subagents only. */
const LATEST_EVENTS = 400;

/** Who is waited for now. Who waits longest comes first. */
export const currentWaits = (store: Store): Promise<readonly Waiting[]> => createWaitReader()(store);

/** For who asks again and again: reads only sessions in which something has happened since. */
export function createWaitReader(): (store: Store) => Promise<readonly Waiting[]> {
  let known = new Map<string, { readonly at: string; readonly waits: readonly Waiting[] }>();
  return async (store) => {
    const now: typeof known = new Map();
    for (const session of await store.sessions({ phase: 'active', limit: MAX_SESSIONS })) {
      const at = `${session.events} ${session.lastUs} ${session.denials}`;
      const before = known.get(session.id);
      now.set(session.id, before?.at === at ? before : { at, waits: await waitsOf(store, session) });
    }
    known = now;
    return [...now.values()].flatMap(({ waits }) => waits).sort((one, other) => one.since - other.since);
  };
}

async function waitsOf(store: Store, session: SessionSummary): Promise<readonly Waiting[]> {
  const events = (await store.events({ session: session.id, limit: LATEST_EVENTS })).toReversed();
  return Promise.all(waitsAtEnd(events, isAnswered).map((wait) => describeWait(store, session, wait)));
}

/** A hook has decided, and the agent takes that for an answer. */
export function isAnswered({ agent, event, decision }: EventHeader): boolean {
  if (decision === null || decision === 'ask') return false;
  return capabilityOf(findAgent(agent)?.capabilities ?? {}, event, decision).how === 'now';
}

async function describeWait(store: Store, session: SessionSummary, { since, for: kind, call, notice }: OpenWait): Promise<Waiting> {
  // The request itself may say more or less than the call.
  const asked = since.tool?.command || since.tool?.files.length ? since : (call ?? since);
  return {
    event: since.eventId,
    session: session.id,
    agent: session.agent,
    subagent: since.agentId,
    root: session.repo,
    directory: session.projectPath,
    for: kind,
    tool: asked.tool?.name ?? null,
    what: asked.tool?.command ?? (asked.tool?.files.join(', ') || (await questionOf(store, asked))),
    message: notice && ((await detailOf(store, notice))?.text ?? null),
    since: Math.round(since.wallUs / 1000),
  };
}

async function detailOf(store: Store, { eventId }: EventHeader): Promise<EventDetail | undefined> {
  const found = await store.event(eventId);
  return found.found === 'one' ? found.value : undefined;
}

/** Of a tool that asks the person. Its input is read again, since no column of the store has it. */
async function questionOf(store: Store, header: EventHeader): Promise<string | null> {
  const payload = (await detailOf(store, header))?.envelope?.payload;
  if (header.tool === null || payload === undefined) return null;
  const context = { nativeEvent: header.nativeEvent, cwd: header.projectPath, variables: {} };
  const input: JsonObject = findAgent(header.agent)?.decode(payload, context).tool?.input ?? {};
  const questions = Array.isArray(input.questions)
    ? input.questions.map((one) => (one as JsonObject | null)?.question)
    : [input.plan, input.question];
  return questions.filter((one) => typeof one === 'string' && one !== '').join('\n') || null;
}
