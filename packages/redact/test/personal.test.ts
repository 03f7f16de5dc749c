import { describe, expect, it } from 'vitest';
import { createRedactor, readOwnRules } from '../src/index.ts';

const key = Buffer.alloc(32, 4);
const plain = createRedactor({ key });
const personal = createRedactor({ key, own: readOwnRules({ personal: ['email', 'phone', 'address'] }).own });

const found: readonly (readonly [kind: string, text: string, secret: string])[] = [
  ['email', 'write to ann.lee+x@mail.example.org.', 'ann.lee+x@mail.example.org'],
  ['email', 'Author: Ann <ann@example.org>', 'ann@example.org'],
  ['phone', 'call +49 30 1234567 today', '+49 30 1234567'],
  ['phone', 'call +442071838750', '+442071838750'],
  ['phone', 'or (555) 010-0199', '(555) 010-0199'],
  ['phone', 'or 555-010-0199.', '555-010-0199'],
  ['address', 'lives at 12 Baker Street, London', '12 Baker Street'],
  ['address', 'wohnt Hauptstraße 5a', 'Hauptstraße 5a'],
];

describe('personal data', () => {
  it.each(found)('stays unless it is asked for: %s in %s', (kind, text, secret) => {
    expect(plain.text(text)).toBe(text);
    const clean = personal.text(text);
    expect(clean).not.toContain(secret);
    expect(clean).toContain(`[redacted:${kind}:`);
    expect(personal.text(clean)).toBe(clean);
    expect(() => JSON.parse(personal.text(JSON.stringify({ a: `x\n${text}`, b: [`\t${secret}`] })))).not.toThrow();
    expect(personal.text(JSON.stringify({ a: `x\n${secret}` }))).not.toContain(secret);
    expect(personal.value({ a: [text] }).a[0]).toBe(clean);
  });

  it.each([
    'git clone git@example.org:team/repo.git',
    'npm i @scope/pkg@1.2.3',
    '+20261118',
    'commit 5550100199abc, 10.0.0.1, 2026-11-18 12:00:00',
    '12 files changed, 3 Errors',
    'see 4 Ways to win',
    'ssh://git@example.org:22/x',
  ])('is not what only looks like it: %s', (text) => {
    expect(personal.text(text)).toBe(text);
  });

  it('is chosen by kind, and a wrong kind is named', () => {
    const { own, problems } = readOwnRules({ personal: ['phone', 'shoe-size'] });
    expect(problems).toEqual(['redact.personal.1 is not one of email, phone, address']);
    const redactor = createRedactor({ key, own });
    expect(redactor.text('ann@example.org, +49 30 1234567')).toMatch(/^ann@example\.org, \[redacted:phone:[0-9a-f]{8}\]$/);
    expect(redactor.version).not.toBe(plain.version);
  });

  it('takes time in proportion to the length of the text', () => {
    for (const piece of ['a@', 'a.', '+1', '+1 ', '1 Aa ', 'Aaa', 'a@a.', '(555) ']) {
      const text = piece.repeat(400_000 / piece.length);
      expect(personal.text(text).length).toBeGreaterThan(0);
    }
  });
});
