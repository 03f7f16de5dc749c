import { looksMixed } from './rules/rule.ts';
import type { Span } from './span.ts';

const SECRET = /(?<![A-Za-z0-9/+=])[A-Za-z0-9/+]{40}(?![A-Za-z0-9/+=])/g;
const WHOLE = /^[A-Za-z0-9/+]{40}$/;
const BESIDE = 300;

/** An AWS secret has no shape of its own but its length: it counts only near a key id, and never if it is a hash or a path. */
export const isAwsSecret = (text: string): boolean => WHOLE.test(text) && looksMixed(text) && !/^\/?(?:[a-z]+\/){2}/.test(text);

export function awsSecretsNear(text: string, start: number, end: number): Span[] {
  const from = Math.max(0, start - BESIDE);
  const around = text.slice(from, end + BESIDE);
  // An escaped line end before it would be read as its first character.
  const plain = around.replace(/\\[nrt]/g, '  ');
  return Array.from(plain.matchAll(SECRET))
    .filter(([secret]) => isAwsSecret(secret))
    .map(({ index, 0: secret }) => ({ start: from + index, end: from + index + 40, kind: 'aws-secret', secret }));
}
