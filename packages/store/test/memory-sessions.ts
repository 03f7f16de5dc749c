import type { EventRecord, ObservationRecord, RecordReport, SessionDetail } from '../src/index.ts';
import { factsOf, sessionEventOf } from '../src/sessions/input.ts';
import type { SessionEvent, SessionState } from '../src/sessions/machine.ts';
import { mergeNames, type SessionNames } from '../src/sessions/names.ts';
import * as fold from '../src/sessions/tracked-session.ts';
import { supersedes } from '../src/superseding.ts';

interface Saved {
  readonly id: string;
  readonly agent: string;
  readonly ref: string;
  readonly depth: number;
  state: SessionState;
  names: SessionNames | null;
  events: number;
  turns: Map<string, fold.WrittenTurn>;
}

/** What is compared: the life of a session, its names, and its turns. */
export type Life = ReturnType<typeof lifeIn>;

/** Sessions as any store has them that uses the fold, kept in maps: there is no database here. */
export function memorySessions() {
  const sessions = new Map<string, Saved>();
  const records = new Map<string, EventRecord>();
  const observed = new Map<string, { readonly session: string; readonly event: SessionEvent }>();
  const keyOf = (record: EventRecord): string | undefined => {
    const named = fold.sessionOf(record);
    return named === null ? undefined : `${named.agent}\0${named.ref}`;
  };

  function write(saved: Saved, tracked: fold.TrackedSession): void {
    if (tracked.refold) {
      const events = [...records.values()].filter((record) => keyOf(record) === `${saved.agent}\0${saved.ref}`);
      const more = [...observed.values()].filter(({ session, event }) => session === saved.id && event.input.kind !== 'activity');
      fold.refold(tracked, [...events.map((record) => sessionEventOf(factsOf(record), saved.depth)), ...more.map(({ event }) => event)]);
      saved.turns = new Map();
    }
    for (const turn of fold.turnsOf(tracked)) saved.turns.set(turn.turn.id, turn);
    saved.state = tracked.state;
    saved.events += tracked.added;
  }

  return {
    /** A batch that a store took, without what it rejected. */
    record(batch: readonly EventRecord[], report: RecordReport): void {
      if (!report.ok) return;
      const tracked = new Map<string, fold.TrackedSession>();
      for (const record of batch) {
        if (report.rejected.some(({ eventId }) => eventId === record.eventId)) continue;
        const known = records.get(record.eventId);
        if (known && !supersedes(record, { late: known.late, answered: known.outcome !== null })) continue;
        records.set(record.eventId, record);
        const key = keyOf(record);
        if (key === undefined) continue;
        const { agent, ref } = fold.sessionOf(record) as { agent: string; ref: string };
        const saved = sessions.get(key);
        const session = tracked.get(key) ?? (saved ? fold.resumeSession(saved) : fold.beginSession(record));
        tracked.set(key, session);
        if (!saved)
          sessions.set(key, {
            ...{ id: session.id, agent, ref, depth: session.depth, state: session.state, names: null, events: 0, turns: new Map() },
          });
        if (known) fold.replaceEvent(session, record);
        else fold.addEvent(session, record);
        const at = sessions.get(key) as Saved;
        if (record.depth <= session.depth) at.names = mergeNames(at.names, record);
      }
      for (const [key, session] of tracked) write(sessions.get(key) as Saved, session);
    },
    observe(observation: ObservationRecord, report: RecordReport): void {
      const saved = [...sessions.values()].find(({ id }) => id === observation.session);
      if (!report.ok || !saved || observed.has(observation.id)) return;
      if (observation.kind !== 'crash' && observation.kind !== 'commit' && observation.kind !== 'note') return;
      const tracked = fold.resumeSession(saved);
      const position = fold.addObservation(tracked, { ...observation, kind: observation.kind });
      const kind = observation.kind === 'note' ? 'activity' : observation.kind;
      observed.set(observation.id, { session: saved.id, event: { position, input: { kind }, denied: false } });
      write(saved, tracked);
    },
    lives: (): Life[] => [...sessions.values()].map(lifeIn).sort(byId),
  };
}

const byId = (a: { readonly id: string }, b: { readonly id: string }): number => (a.id < b.id ? -1 : 1);

function lifeIn({ id, agent, ref, depth, state, names, events, turns }: Saved) {
  const { phase, ended, tools, denials, compactions } = state;
  return {
    ...{ id, agent, providerRef: ref, depth, phase, events, tools, denials, compactions },
    turns: state.turns,
    startedUs: state.startedUs ?? 0,
    lastUs: state.lastUs ?? 0,
    endedUs: ended?.wallUs ?? null,
    endReason: ended?.reason ?? null,
    repo: names?.repo ?? null,
    branch: names?.branch ?? null,
    model: names?.model ?? null,
    source: names?.source ?? null,
    transcriptPath: names?.transcriptPath ?? null,
    ...{ bootId: names?.bootId ?? '', pid: names?.pid ?? 0, ppid: names?.ppid ?? 0 },
    turnList: [...turns.values()]
      .sort((a, b) => a.turn.number - b.turn.number)
      .map(({ turn, endedUs, closed }) => ({
        ...{ id: turn.id, number: turn.number, startedUs: turn.opened.wallUs, endedUs, closed },
        ...{ tools: turn.tools, denials: turn.denials },
      })),
  };
}

/** The same of a session that a store gave back. Commits are counted in the ledger, which is not folded. */
export function lifeOf(session: SessionDetail): Life {
  const { parentId: _, projectPath: __, firstPrompt: ___, observations: ____, commits: _____, turnList, ...life } = session;
  return { ...life, turnList: turnList.map(({ prompt: ______, commits: _______, ...turn }) => turn) };
}
