import { has, LINE_END, WORD } from './char-set.ts';
import type { Step } from './program.ts';
import type { Assertion } from './syntax.ts';

/** What lies on one side of a place in the text. */
type Side = 'edge' | 'word' | 'line-end' | 'other';

interface State {
  readonly steps: readonly number[];
  readonly before: Side;
  /** By code unit; `null`: a match was found on the way. */
  readonly ascii: (State | null | undefined)[];
  readonly rest: Map<number, State | null>;
  atEnd: boolean | undefined;
}

/** Bounds what a hostile text can make us hold; past it we begin anew. */
const MOST_STATES = 1000;
const MOST_BEYOND_ASCII = 256;

/**
 * Does the pattern match anywhere? Each character costs one look-up once its step is known, and at most one visit of
 * every step of the program when it is not: linear in the text, whatever the pattern.
 */
export function automaton(program: readonly Step[]): (text: string) => boolean {
  let states = new Map<string, State>();
  const stateOf = (steps: readonly number[], before: Side): State => {
    const key = `${before} ${steps.join()}`;
    const known = states.get(key);
    if (known !== undefined) return known;
    if (states.size >= MOST_STATES) states = new Map();
    const state: State = { steps, before, ascii: [], rest: new Map(), atEnd: undefined };
    states.set(key, state);
    return state;
  };

  /** All steps that wait for a character, or undefined if a match is complete here. */
  function waiting(state: State, after: Side): readonly number[] | undefined {
    const seen = new Set<number>();
    const next = [0, ...state.steps];
    const found: number[] = [];
    for (let at = next.pop(); at !== undefined; at = next.pop()) {
      if (seen.has(at)) continue;
      seen.add(at);
      const step = program[at] as Step;
      if (step.kind === 'found') return undefined;
      if (step.kind === 'chars') found.push(at);
      else if (step.kind === 'split') next.push(step.next, step.other);
      else if (holds(step.what, state.before, after)) next.push(step.next);
    }
    return found;
  }

  function step(state: State, unit: number): State | null {
    const side = sideOf(unit);
    const from = waiting(state, side);
    if (from === undefined) return null;
    const reached = new Set<number>();
    for (const at of from) {
      const { set, next } = program[at] as Extract<Step, { kind: 'chars' }>;
      if (has(set, unit)) reached.add(next);
    }
    return stateOf(
      [...reached].sort((a, b) => a - b),
      side,
    );
  }

  function follow(state: State, unit: number): State | null {
    const known = unit < 128 ? state.ascii[unit] : state.rest.get(unit);
    if (known !== undefined) return known;
    const fresh = step(state, unit);
    if (unit < 128) state.ascii[unit] = fresh;
    else if (state.rest.size < MOST_BEYOND_ASCII) state.rest.set(unit, fresh);
    return fresh;
  }

  return (text) => {
    let state = stateOf([], 'edge');
    for (let at = 0; at < text.length; at++) {
      const next = follow(state, text.charCodeAt(at));
      if (next === null) return true;
      state = next;
    }
    state.atEnd ??= waiting(state, 'edge') === undefined;
    return state.atEnd;
  };
}

function sideOf(unit: number): Side {
  if (has(WORD, unit)) return 'word';
  return has(LINE_END, unit) ? 'line-end' : 'other';
}

function holds(what: Assertion, before: Side, after: Side): boolean {
  switch (what) {
    case 'start':
      return before === 'edge';
    case 'end':
      return after === 'edge';
    case 'line-start':
      return before === 'edge' || before === 'line-end';
    case 'line-end':
      return after === 'edge' || after === 'line-end';
    case 'boundary':
      return (before === 'word') !== (after === 'word');
    case 'no-boundary':
      return (before === 'word') === (after === 'word');
  }
}
