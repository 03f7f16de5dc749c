import { Failure } from '../failure.ts';
import { shortLine } from '../output/text.ts';

const SHOWN = 5;

/** A ref that several have: which they are, so that the next one names one of them. */
export function ambiguous(ref: string, kind: string, candidates: readonly { readonly id: string; readonly about: string }[]): Failure {
  const lines = candidates.slice(0, SHOWN).map(({ id, about }) => `${id}  ${shortLine(about, 50)}`.trimEnd());
  const more = candidates.length > SHOWN ? ['and others'] : [];
  return new Failure(`${JSON.stringify(ref)} matches more than one ${kind}`, {
    list: [...lines, ...more],
    remedy: 'use more of the ID',
  });
}
