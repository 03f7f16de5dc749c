import type { CharSet } from './char-set.ts';
import { type Assertion, type Node, Refused } from './syntax.ts';

/** A step of the automaton: `next` and `other` are places in the program. */
export type Step =
  | { readonly kind: 'chars'; readonly set: CharSet; next: number }
  | { readonly kind: 'assert'; readonly what: Assertion; next: number }
  | { readonly kind: 'split'; next: number; other: number }
  | { readonly kind: 'found' };

/** More is a mistake or malice: each character of the input may visit every step. */
const MOST_STEPS = 4000;
/** Repeats of nothing add no step, and would be written out for ever. */
const MOST_WORK = 100_000;

/** Thompson's construction. Bounded repeats are written out. */
export function programOf(pattern: Node): readonly Step[] {
  const steps: Step[] = [];
  let work = 0;
  const add = (step: Step): number => {
    if (steps.length >= MOST_STEPS) throw new Refused('is too large once its repeats are expanded');
    return steps.push(step) - 1;
  };

  /** Adds what leads from `node` to `next`; where it begins. Built from the end, so that each step knows its successor. */
  function build(node: Node, next: number): number {
    if (++work > MOST_WORK) throw new Refused('is too large once its repeats are expanded');
    switch (node.kind) {
      case 'chars':
        return add({ kind: 'chars', set: node.set, next });
      case 'assert':
        return add({ kind: 'assert', what: node.what, next });
      case 'sequence':
        return node.parts.reduceRight((after, part) => build(part, after), next);
      case 'choice':
        return node.options.map((option) => build(option, next)).reduceRight((other, first) => add({ kind: 'split', next: first, other }));
      case 'repeat':
        return repeat(node, next);
    }
  }

  function repeat({ of, least, most }: Extract<Node, { kind: 'repeat' }>, next: number): number {
    let start = next;
    if (most === Number.POSITIVE_INFINITY) {
      const loop = add({ kind: 'split', next, other: next });
      (steps[loop] as Extract<Step, { kind: 'split' }>).next = build(of, loop);
      start = loop;
    } else {
      for (let count = least; count < most; count++) start = add({ kind: 'split', next: build(of, start), other: next });
    }
    for (let count = 0; count < least; count++) start = build(of, start);
    return start;
  }

  const found = add({ kind: 'found' });
  // The first step is where a match begins.
  const begin = build(pattern, found);
  return [{ kind: 'split', next: begin + 1, other: begin + 1 }, ...steps.map(shifted)];
}

/** Room for the first step. */
function shifted(step: Step): Step {
  switch (step.kind) {
    case 'found':
      return step;
    case 'split':
      return { ...step, next: step.next + 1, other: step.other + 1 };
    case 'chars':
    case 'assert':
      return { ...step, next: step.next + 1 };
  }
}
