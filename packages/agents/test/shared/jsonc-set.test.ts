import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { appendElement, setMember } from '../../src/shared/jsonc/jsonc-set.ts';

const FILE = `// mine
{
\t"hooks_enabled": true, // keep this
\t/* and this */ "guard":   "ask",
\t"redact": { "allow": ["a",   "b"], /* inside */ }, // after
\t"hooks": [
\t\t{ "name": "x" }, // of x
\t],
\t// the end
}
// below
`;
const set = (text: string, path: string, value: unknown): string => {
  const result = setMember(text, path.split('.'), value);
  if (!result.ok) throw new Error(result.error);
  return result.text;
};

describe('one more element of a list', () => {
  const append = (text: string, value: unknown) => appendElement(text, 'hooks', value);
  it('stands below the others, and every other byte stays', () => {
    expect(append(FILE, { name: 'y' })).toEqual({
      ok: true,
      text: FILE.replace('// of x\n', '// of x\n\t\t{\n\t\t\t"name": "y"\n\t\t},\n'),
    });
    expect(append('{ "hooks": [] }', 1)).toEqual({ ok: true, text: '{ "hooks": [\n  1\n] }' });
  });
  it('needs a list', () => {
    expect(append('{ "hooks": {} }', 1)).toEqual({ ok: false, error: 'hooks is no list' });
  });
});

describe('one setting is changed in place', () => {
  it('and every other byte stays', () => {
    expect(set(FILE, 'hooks_enabled', false)).toBe(FILE.replace('true', 'false'));
    expect(set(FILE, 'guard', 'off')).toBe(FILE.replace('"ask"', '"off"'));
    expect(set(FILE, 'redact.allow', ['c'])).toBe(FILE.replace('["a",   "b"]', '[\n\t\t"c"\n\t]'));
    expect(set(FILE, 'guard', 'ask')).toBe(FILE);
  });

  it('or added below the rest, and taken out again to the byte', () => {
    const added = set(FILE, 'post_commit_wait', 1);
    expect(added).toBe(FILE.replace('// the end\n', '// the end\n\t"post_commit_wait": 1,\n'));
    expect(set(added, 'post_commit_wait', undefined)).toBe(FILE);
    expect(set(set(FILE, 'redact.rules', 2), 'redact.rules', undefined)).toBe(FILE);
  });

  it('with the objects around it that are not there yet', () => {
    expect(set('{}\n', 'a.b.c', 1)).toBe('{\n  "a": {\n    "b": {\n      "c": 1\n    }\n  }\n}\n');
    expect(set('{}\r\n', 'a', { b: [] })).toBe('{\r\n  "a": {\r\n    "b": []\r\n  }\r\n}\r\n');
  });

  it('also where the file holds nothing yet', () => {
    expect(set('', 'a', 2)).toBe('{\n  "a": 2\n}\n');
    expect(set('// only a comment\n', 'a', 2)).toBe('// only a comment\n{\n  "a": 2\n}\n');
  });

  it('and is gone when it is taken out, however often it was written', () => {
    expect(set('{ "a": 1, "b": 2, "a": 3 }', 'a', undefined)).toBe('{ "b": 2 }');
  });

  it('but not through something that is no object', () => {
    expect(setMember('{ "a": [1] }', ['a', 'b'], 1)).toEqual({ ok: false, error: expect.stringContaining('a is no object') });
    expect(setMember('[1]', ['a'], 1)).toMatchObject({ ok: false });
    expect(setMember('{ oops', ['a'], 1)).toMatchObject({ ok: false });
  });

  it('whatever the layout: no comment is lost, and what is read is what was wished', () => {
    const key = fc.constantFrom('a', 'b', 'c', 'd');
    const gap = fc.constantFrom('', ' ', '\n', '\n\t', ' /*K*/ ', ' //K\n', '\n  //K\n\n  ', '\r\n');
    const scalar = fc.oneof(fc.integer(), fc.boolean(), fc.constantFrom('x', 'é', ''), fc.constant(null));
    const member = fc.record({ key, value: scalar, gaps: fc.array(gap, { minLength: 4, maxLength: 4 }) });
    const file = fc.record({
      members: fc.uniqueArray(member, { selector: (one) => one.key, maxLength: 4 }),
      comma: fc.boolean(),
      ends: fc.array(gap, { minLength: 2, maxLength: 2 }),
    });
    const written = fc.option(scalar, { nil: undefined });
    fc.assert(
      fc.property(file, key, written, ({ members, comma, ends }, name, value) => {
        const items = members.map(
          ({ key: at, value: of, gaps: [one, two, three, four] }) => `${one}"${at}"${two}:${three}${JSON.stringify(of)}${four}`,
        );
        const text = `{${items.join(',')}${comma && items.length > 0 ? ',' : ''}${ends[0]}}${ends[1]}`;
        const wished = new Map(members.map((one) => [one.key, one.value]));
        if (value === undefined) wished.delete(name);
        else wished.set(name, value);
        const now = set(text, name, value);
        // What stands inside of a setting goes with it.
        const inside =
          value === undefined
            ? members
                .find((one) => one.key === name)
                ?.gaps.slice(1, 3)
                .join('')
            : undefined;
        expect(comments(now)).toBe(comments(text) - comments(inside ?? ''));
        expect(plain(now)).toEqual(Object.fromEntries(wished));
      }),
      { numRuns: 1000 },
    );
  });
});

const comments = (text: string): number => text.split('K').length - 1;

/** Read by another way than the one under test. */
const plain = (text: string): unknown => JSON.parse(text.replace(/\/\*K\*\/|\/\/K[^\n]*/g, '').replace(/,(\s*)\}/, '$1}'));
