import { describe, expect, it } from 'vitest';
import { createRedactor } from '../src/index.ts';
import { AGENT_COUNT, lookalikes, type Sample, trueSecrets } from './corpus/corpus.ts';

const redactor = createRedactor({ key: Buffer.alloc(32, 3) });
const FRAGMENT = 12;

/** Line ends, escapes and all: what a person could still put together. */
const flat = (text: string): string => text.replace(/\\+[nrt]/g, '').replace(/[\\\s]/g, '');

/** Any piece of the secret that is long enough to be worth something. Prefixes tell only whose it was. */
function leaks(clean: string, secret: string): boolean {
  const whole = flat(secret);
  const text = flat(clean);
  if (whole.length <= FRAGMENT) return text.includes(whole);
  for (let at = 0; at + FRAGMENT <= whole.length; at++) if (text.includes(whole.slice(at, at + FRAGMENT))) return true;
  return false;
}

const percent = (part: number, all: number): string => `${((100 * part) / all).toFixed(2)} %`;
const show = (samples: readonly Sample[]): string => samples.map(({ kind, text }) => `    ${kind}: ${text.slice(0, 160)}`).join('\n');

describe('the corpus', () => {
  const secrets = trueSecrets();
  const harmless = lookalikes();

  it('has 500 true secrets of 60 kinds, and 2,000 lookalikes, in payloads of every recorded agent', () => {
    expect(secrets.length).toBeGreaterThanOrEqual(500);
    expect(new Set(secrets.map(({ kind }) => kind)).size).toBeGreaterThanOrEqual(60);
    expect(harmless.length).toBeGreaterThanOrEqual(2000);
    expect(new Set(secrets.map(({ agent }) => agent)).size).toBe(AGENT_COUNT);
    expect(new Set(harmless.map(({ agent }) => agent)).size).toBe(AGENT_COUNT);
    for (const { payload, secret } of secrets) expect(leaks(JSON.stringify(payload), secret)).toBe(true);
  });

  it.each([
    ['as values', (payload: unknown) => JSON.stringify(redactor.value(payload))],
    ['as the text of the payload', (payload: unknown) => String(redactor.text(JSON.stringify(payload)))],
  ])('loses at least 99 percent of its secrets, and no JSON breaks: %s', (how, redact) => {
    const kept = secrets.filter(({ payload, secret }) => {
      const clean = redact(payload);
      expect(() => JSON.parse(clean)).not.toThrow();
      return leaks(clean, secret);
    });
    const recall = 1 - kept.length / secrets.length;
    console.log(`recall ${how}: ${percent(secrets.length - kept.length, secrets.length)} of ${secrets.length}\n${show(kept)}`);
    expect(recall).toBeGreaterThanOrEqual(0.99);
  });

  it.each([
    ['as values', (payload: unknown) => JSON.stringify(redactor.value(payload))],
    ['as the text of the payload', (payload: unknown) => String(redactor.text(JSON.stringify(payload)))],
  ])('keeps at least 99 percent of its lookalikes as they are: %s', (how, redact) => {
    const mangled = harmless.filter(({ payload }) => redact(payload) !== JSON.stringify(payload));
    console.log(`false positives ${how}: ${percent(mangled.length, harmless.length)} of ${harmless.length}\n${show(mangled.slice(0, 40))}`);
    expect(mangled.length / harmless.length).toBeLessThanOrEqual(0.01);
  });
});
