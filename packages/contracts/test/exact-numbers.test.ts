import fc from 'fast-check';
import { expect, it } from 'vitest';
import { exactJson, parseExactly, withoutMark } from '../src/json/exact-numbers.ts';

const round = (json: string): string => exactJson(JSON.stringify(parseExactly(json)));

it.each(['12345678901234567890', '-9007199254740993', '0.12345678901234567890', '1.00000000000000000001e400'])('keeps %s', (number) => {
  for (const json of [number, `[${number}]`, `{"a":{"b":[1,${number},"x"]}}`]) expect(round(json)).toBe(json);
});
it('leaves texts alone, whatever they look like', () => {
  const json = JSON.stringify(['12345678901234567890', 'a "12345678901234567890" b', '\\', '12345678901234567890\\"']);
  expect(round(json)).toBe(json);
});
it('leaves alone what JavaScript can hold', () => {
  expect(parseExactly('[9007199254740992, 1e21, 1111111111111111]')).toEqual([9007199254740992, 1e21, 1111111111111111]);
});
it('tells two numbers apart that JavaScript would take for one', () => {
  expect(round('[9007199254740992,9007199254740993]')).toBe('[9007199254740992,9007199254740993]');
});
it('does not read what is no JSON', () => {
  for (const json of ['01234567890123456789', '{"a":12345678901234567890', '12345678901234567890x', '+12345678901234567890'])
    expect(() => parseExactly(json)).toThrow();
});
it('has no mark that a payload can write', () => {
  const [marked] = parseExactly('[12345678901234567890]') as [string];
  expect(withoutMark(marked)).toBe('12345678901234567890');
  expect(round(JSON.stringify([marked.replace(/[0-9a-f]{12}(?=:)/, '0'.repeat(12))]))).not.toBe('[12345678901234567890]');
});
it('says what JSON.parse says of any JSON', () => {
  const said = (value: unknown): unknown => JSON.parse(exactJson(JSON.stringify(value)));
  fc.assert(
    fc.property(fc.json(), (json) => {
      expect(said(parseExactly(json))).toEqual(said(JSON.parse(json)));
    }),
  );
});
