import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { setTomlText, tomlValue } from '../../src/shared/toml/toml-edit.ts';

const HARD = `# a comment [not.a.table]
title = "x" # why
"quoted key" = 'literal \\ "text"'
site."example.com".port = 80
many = [
  "a]", # ]
  { b = "}" },
]
long = """
[hooks.state."in a text"]
trusted_hash = "no"\\"" still
"""
literal = '''
[also.text]'''
when = 1979-05-27 07:32:00Z

[a]
b = { c = 1, d = [ 1, 2 ] }

[[list]]
name = "one"
[[ list ]]
name = "two"

  [ hooks . state . "/h/.codex/hooks.json:stop:0:0" ] # mine
  enabled = true
`;
const TABLE = ['hooks', 'state', '/h/.codex/hooks.json:stop:0:0'];
const set = (text: string, table: readonly string[], key: string, value: string): string => {
  const edit = setTomlText(text, table, key, value);
  if (!edit.ok) throw new Error(edit.error);
  return edit.text;
};

describe('setting a text in a TOML file', () => {
  it('finds values wherever they stand', () => {
    expect(tomlValue(HARD, ['title'])).toBe('x');
    expect(tomlValue(HARD, ['quoted key'])).toBe('literal \\ "text"');
    expect(tomlValue(HARD, ['site', 'example.com', 'port'])).toBe('80');
    expect(tomlValue(HARD, ['when'])).toBe('1979-05-27 07:32:00Z');
    expect(tomlValue(HARD, ['list', 'name'])).toBe('two');
    expect(tomlValue(HARD, [...TABLE, 'enabled'])).toBe('true');
    expect(tomlValue(HARD, ['hooks', 'state', 'in a text', 'trusted_hash'])).toBeUndefined();
  });
  it('adds a line to a table that is there, and changes it the second time', () => {
    const once = set(HARD, TABLE, 'trusted_hash', 'sha256:1');
    expect(once).toBe(HARD.replace('] # mine\n', '] # mine\ntrusted_hash = "sha256:1"\n'));
    expect(set(once, TABLE, 'trusted_hash', 'sha256:2')).toBe(once.replace('sha256:1', 'sha256:2'));
  });
  it('appends a table that is not there', () => {
    expect(set(HARD, ['hooks', 'state', 'a "b"\\c\n'], 'trusted_hash', 'x')).toBe(
      `${HARD}\n[hooks.state."a \\"b\\"\\\\c\\u000a"]\ntrusted_hash = "x"\n`,
    );
    expect(set('', ['a'], 'b', 'c')).toBe('[a]\nb = "c"\n');
    expect(set('x = 1', ['a'], 'b', 'c')).toBe('x = 1\n\n[a]\nb = "c"\n');
    expect(set('x = 1\r\n', ['a'], 'b', 'c')).toBe('x = 1\r\n\r\n[a]\r\nb = "c"\r\n');
  });
  it.each([
    ['within a line', 'hooks = { state = {} }\n'],
    ['within a line of its table', '[hooks.state]\nx = { enabled = true }\n'],
    ['by dots', '[hooks]\nstate.x.enabled = true\n'],
    ['as a list', '[[hooks]]\na = 1\n'],
  ])('refuses a table that is written %s, and says where', (_how, text) => {
    expect(setTomlText(text, ['hooks', 'state', 'x'], 'trusted_hash', 'h')).toEqual({
      ok: false,
      error: expect.stringMatching(/^line \d+, column \d+: hooks\.state\.x is not written as a table/),
    });
  });
  it.each(['a', 'a = ', '[a', '[a]]', 'a = "x', 'a = [1', 'a = 1 b = 2', '= 1', 'a == 1', '<<<<<<< ours\n', 'a = ]'])(
    'edits nothing that it cannot read: %s',
    (text) =>
      expect(setTomlText(text, ['t'], 'k', 'v')).toEqual({
        ok: false,
        error: expect.stringMatching(/^line \d+, column \d+: not valid TOML/),
      }),
  );
  it('reads back what it wrote, and leaves every line that was there', () => {
    fc.assert(
      fc.property(fc.string({ minLength: 1, unit: 'binary' }), fc.string({ unit: 'binary' }), (name, value) => {
        const text = set(HARD, ['hooks', 'state', name], 'trusted_hash', value);
        expect(text.startsWith(HARD)).toBe(true);
        expect(tomlValue(text, ['hooks', 'state', name, 'trusted_hash'])).toBe(value);
        expect(tomlValue(text, [...TABLE, 'enabled'])).toBe('true');
        expect(set(text, ['hooks', 'state', name], 'trusted_hash', value)).toBe(text);
      }),
    );
  });
});
