import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  foldSession,
  NEW_SESSION,
  type Phase,
  type Position,
  type SessionEvent,
  type SessionInput,
  type SessionState,
  step,
} from '../src/index.ts';
import { shuffle } from './records.ts';

const at = (n: number, bootId = 'a'): Position => ({
  bootId,
  monotonicUs: n,
  stamp: `S${String(n).padStart(5, '0')}${bootId}`,
  wallUs: (bootId === 'a' ? 0 : 1_000_000) + n,
});
const input = (name: string): SessionInput => {
  const [kind, word = null] = name.split(':');
  if (kind === 'start') return { kind, source: word };
  if (kind === 'end') return { kind, reason: word };
  return { kind } as SessionInput;
};
const happen = (n: number, name: string, more: { denied?: boolean; boot?: string } = {}): SessionEvent => ({
  position: at(n, more.boot),
  input: input(name),
  denied: more.denied ?? false,
});
const live = (...names: string[]): SessionState => foldSession(names.map((name, n) => happen(n + 1, name))).state;

const FROM: Readonly<Record<Phase, SessionState>> = {
  idle: live('start:startup', 'prompt', 'stop'),
  active: live('start:startup', 'prompt'),
  ended: live('start:startup', 'prompt', 'end:exit'),
};

/** Every phase × every input: where it leads, and what it says. */
const TABLE: readonly (readonly [from: Phase, input: string, to: Phase, says: string])[] = [
  ['idle', 'start:startup', 'idle', ''],
  ['idle', 'start:resume', 'idle', ''],
  ['idle', 'start:clear', 'idle', ''],
  ['idle', 'start:compact', 'idle', ''],
  ['idle', 'start', 'idle', ''],
  ['idle', 'prompt', 'active', 'turn-opened'],
  ['idle', 'stop', 'idle', ''],
  ['idle', 'failure', 'idle', ''],
  ['idle', 'tool', 'active', 'turn-opened'],
  ['idle', 'compact', 'idle', ''],
  ['idle', 'commit', 'idle', ''],
  ['idle', 'activity', 'idle', ''],
  ['idle', 'end:exit', 'ended', 'ended'],
  ['idle', 'end', 'ended', 'ended'],
  ['idle', 'crash', 'ended', 'ended'],
  ['active', 'start:startup', 'active', ''],
  ['active', 'start:resume', 'idle', 'turn-closed:interrupted'],
  ['active', 'start:clear', 'idle', 'turn-closed:interrupted'],
  ['active', 'start:compact', 'active', ''],
  ['active', 'start', 'active', ''],
  ['active', 'prompt', 'active', 'turn-closed:prompt turn-opened'],
  ['active', 'stop', 'idle', 'turn-closed:stop'],
  ['active', 'failure', 'idle', 'turn-closed:failure'],
  ['active', 'tool', 'active', ''],
  ['active', 'compact', 'active', ''],
  ['active', 'commit', 'active', ''],
  ['active', 'activity', 'active', ''],
  ['active', 'end:exit', 'ended', 'turn-closed:end ended'],
  ['active', 'end', 'ended', 'turn-closed:end ended'],
  ['active', 'crash', 'ended', 'turn-closed:crash ended'],
  ['ended', 'start:startup', 'idle', 'resumed'],
  ['ended', 'start:resume', 'idle', 'resumed'],
  ['ended', 'start:clear', 'idle', 'resumed'],
  ['ended', 'start:compact', 'idle', 'resumed'],
  ['ended', 'start', 'idle', 'resumed'],
  ['ended', 'prompt', 'active', 'resumed turn-opened'],
  ['ended', 'stop', 'ended', ''],
  ['ended', 'failure', 'ended', ''],
  ['ended', 'tool', 'active', 'resumed turn-opened'],
  ['ended', 'compact', 'idle', 'resumed'],
  ['ended', 'commit', 'ended', ''],
  ['ended', 'activity', 'ended', ''],
  ['ended', 'end:exit', 'ended', ''],
  ['ended', 'end', 'ended', ''],
  ['ended', 'crash', 'ended', ''],
];
const INPUTS = [...new Set(TABLE.map(([, name]) => name))];

describe('a session', () => {
  it('has an entry in the table for every phase and input', () => {
    expect(TABLE).toHaveLength(3 * INPUTS.length);
    expect(new Set(TABLE.map(([from, name]) => `${from} ${name}`)).size).toBe(TABLE.length);
  });

  it.each(TABLE)('that is %s, at %s, becomes %s and says “%s”', (from, name, to, says) => {
    const { state, effects } = step(FROM[from], happen(9, name));
    expect(state.phase).toBe(to);
    expect(effects.map((effect) => (effect.kind === 'turn-closed' ? `${effect.kind}:${effect.why}` : effect.kind)).join(' ')).toBe(says);
    expectLegal(state);
  });

  it('is idle before anything happened', () => {
    expect(NEW_SESSION).toMatchObject({ phase: 'idle', turn: null, turns: 0 });
  });

  it('keeps the turn whose prompt came before the start', () => {
    expect(live('prompt', 'start:startup', 'tool', 'stop')).toMatchObject({ phase: 'idle', turns: 1, tools: 1 });
  });

  it('ends once, however often the end is sent, with the first reason', () => {
    expect(live('prompt', 'end:exit', 'end:logout', 'crash').ended).toEqual({ wallUs: 2, reason: 'exit' });
  });

  it('continues numbering turns after it was resumed', () => {
    expect(live('prompt', 'crash', 'start:resume', 'prompt').turn).toMatchObject({ number: 2, id: at(4).stamp });
  });

  it('counts tools, denials, commits and compactions per turn and in total', () => {
    const { state, effects } = foldSession([
      happen(1, 'prompt'),
      happen(2, 'tool'),
      happen(3, 'tool', { denied: true }),
      happen(4, 'commit'),
      happen(5, 'compact'),
      happen(6, 'activity', { denied: true }),
      happen(7, 'stop'),
      happen(8, 'commit'),
    ]);
    expect(state).toMatchObject({ tools: 2, denials: 2, commits: 2, compactions: 1 });
    expect(effects.find(({ kind }) => kind === 'turn-closed')).toMatchObject({ turn: { tools: 2, denials: 2, commits: 1 } });
  });

  it('reports a repeated event, and does not change', () => {
    const { state, effects } = step(FROM.active, happen(2, 'stop'));
    expect(effects).toEqual([{ kind: 'repeated' }]);
    expect(state).toBe(FROM.active);
  });

  it('asks for a refold when an event came too late', () => {
    const state = live('start:startup', 'prompt', 'tool', 'stop');
    for (const name of ['prompt', 'stop', 'tool', 'end', 'start:resume']) {
      const { effects, state: after } = step(state, { ...happen(2, name), position: { ...at(2), stamp: 'S00002x' } });
      expect(effects, name).toEqual([{ kind: 'out-of-order' }]);
      expect(after).toBe(state);
    }
  });

  it('counts a tool call that arrived out of order within the turn', () => {
    const state = foldSession([happen(1, 'prompt'), happen(5, 'tool')]).state;
    const { state: after, effects } = step(state, happen(3, 'tool'));
    expect(effects).toEqual([]);
    expect(after).toMatchObject({ tools: 2, turn: { tools: 2 }, last: at(5) });
  });

  it('orders by boot before it orders by the clock of the boot', () => {
    const { state } = foldSession([happen(3, 'end', { boot: 'b' }), happen(900, 'prompt'), happen(2, 'prompt', { boot: 'b' })]);
    expect(state).toMatchObject({ phase: 'ended', turns: 2, ended: { reason: 'end' } });
  });
});

function expectLegal(state: SessionState): void {
  expect(state.turn !== null).toBe(state.phase === 'active');
  expect(state.ended !== null).toBe(state.phase === 'ended');
  if (state.turn !== null) expect(state.turn.number).toBe(state.turns);
}

describe('whatever happens, in whatever order and however often', () => {
  const story = fc
    .array(fc.record({ name: fc.constantFrom(...INPUTS), denied: fc.boolean() }), { maxLength: 25 })
    .chain((events) => fc.record({ reboot: fc.nat({ max: events.length }), seed: fc.nat(), events: fc.constant(events) }));
  const tell = ({ events, reboot }: { events: readonly { name: string; denied: boolean }[]; reboot: number }): SessionEvent[] =>
    events.map(({ name, denied }, n) => happen(n < reboot ? n + 1 : n - reboot + 1, name, { denied, boot: n < reboot ? 'a' : 'b' }));

  it('a step never throws and ends in a legal state', () => {
    fc.assert(
      fc.property(story, (given) => {
        const events = tell(given);
        let state = NEW_SESSION;
        for (const event of shuffle([...events, ...events], given.seed)) {
          state = step(state, event).state;
          expectLegal(state);
        }
      }),
    );
  });

  it('a fold gives the same result', () => {
    fc.assert(
      fc.property(story, (given) => {
        const events = tell(given);
        expect(foldSession(shuffle([...events, ...events.slice(0, 7)], given.seed))).toEqual(foldSession(events));
      }),
    );
  });

  it('stepping with refolds gives the same result as a fold', () => {
    fc.assert(
      fc.property(story, (given) => {
        const events = tell(given);
        const seen: SessionEvent[] = [];
        let state = NEW_SESSION;
        for (const event of shuffle(events, given.seed)) {
          seen.push(event);
          const next = step(state, event);
          state = next.effects.some(({ kind }) => kind === 'out-of-order') ? foldSession(seen).state : next.state;
        }
        expect(state).toEqual(foldSession(events).state);
      }),
      { numRuns: 500 },
    );
  });
});
