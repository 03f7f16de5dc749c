import type { DecisionName } from '../api/words.ts';

const TONES: Readonly<Record<DecisionName, string>> = {
  deny: 'bad',
  ask: 'warn',
  allow: 'good',
  observe: '',
  modify: 'accent',
  rewrite: 'accent',
  replace: 'accent',
  continue: 'warn',
};

const PAST: Readonly<Record<DecisionName, string>> = {
  deny: 'denied',
  ask: 'asked',
  allow: 'allowed',
  observe: 'observed',
  modify: 'changed input',
  rewrite: 'rewrote output',
  replace: 'gave content',
  continue: 'made it continue',
};

export function DecisionBadge({ decision }: { readonly decision: DecisionName }) {
  return <span class={`badge ${TONES[decision]}`}>{PAST[decision]}</span>;
}
