import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { claude } from '../../src/claude/index.ts';

const target = { scope: 'user', forwarder: '/h/runtime/current/piton-forward', forwarderBelowHome: null, wanted: [] } as const;
const [file] = claude.installer.configFiles('user', {});
const edited = (result: ReturnType<typeof claude.installer.install>) => {
  if (!result.ok) throw new Error(result.error);
  return result.edit.text;
};

/** White space and comments as they may stand between any two tokens. */
const gapFor = (eol: string) =>
  fc.array(fc.constantFrom(' ', '\t', eol, `// a "comment" }${eol}`, '/* { , */', '  '), { maxLength: 3 }).map((parts) => parts.join(''));

/** A value as text, with gaps around every token and sometimes a comma at the end. */
const valueFor = (eol: string): fc.Arbitrary<string> => {
  const gap = gapFor(eol);
  const list = (open: string, close: string, item: fc.Arbitrary<string>) =>
    fc
      .tuple(fc.array(fc.tuple(gap, item, gap), { maxLength: 3 }), gap, fc.boolean())
      .map(
        ([items, end, comma]) =>
          `${open}${items.map((parts) => parts.join('')).join(',')}${items.length > 0 && comma ? ',' : ''}${end}${close}`,
      );
  const scalar = fc.oneof(fc.json({ maxDepth: 0 }), fc.constantFrom('"} // {"', '"\\""', '1e3', 'null'));
  return fc.letrec((tie) => ({
    value: fc.oneof(
      { maxDepth: 2 },
      scalar,
      list('[', ']', tie('value') as fc.Arbitrary<string>),
      list('{', '}', member(gap, fc.string(), tie('value') as fc.Arbitrary<string>)),
    ),
  })).value as fc.Arbitrary<string>;
};
const member = (gap: fc.Arbitrary<string>, key: fc.Arbitrary<string>, value: fc.Arbitrary<string>) =>
  fc.tuple(key, gap, gap, value).map(([name, before, after, text]) => `${JSON.stringify(name)}${before}:${after}${text}`);

const configFile = fc.constantFrom('\n', '\r\n').chain((eol) => {
  const gap = gapFor(eol);
  const value = valueFor(eol);
  const object = (item: fc.Arbitrary<string>) =>
    fc.tuple(fc.array(fc.tuple(gap, item, gap), { maxLength: 3 }), gap, fc.boolean()).map(([items, end, comma]) => {
      return `{${items.map((parts) => parts.join('')).join(',')}${items.length > 0 && comma ? ',' : ''}${end}}`;
    });
  const groups = fc
    .tuple(fc.array(fc.tuple(gap, value, gap), { maxLength: 2 }), gap, fc.boolean())
    .map(([items, end, comma]) => `[${items.map((parts) => parts.join('')).join(',')}${items.length > 0 && comma ? ',' : ''}${end}]`);
  const hooks = object(member(gap, fc.constantFrom('Stop', 'PreToolUse', 'SessionEnd', 'Foreign'), groups));
  const root = object(fc.oneof(member(gap, fc.string(), value), member(gap, fc.constant('hooks'), hooks)));
  return fc.tuple(fc.constantFrom('', '\uFEFF'), gap, root, gap).map((parts) => parts.join(''));
});

describe('editing a configuration of any layout', () => {
  it('takes out exactly what it put in, and puts it in only once', () => {
    fc.assert(
      fc.property(configFile, (text) => {
        const result = claude.installer.install(text, target, file);
        if (!result.ok) return expect(result.error).toMatch(/^line \d+, column \d+: "hooks/);
        const installed = result.edit.text ?? '';
        expect(claude.installer.installed(installed, target, file)).toHaveLength(15);
        expect(edited(claude.installer.install(installed, target, file))).toBe(installed);
        expect(edited(claude.installer.uninstall(installed, target, file))).toBe(text);
      }),
      { numRuns: 400 },
    );
  });
  it('only adds: what was there stays, in its order', () => {
    fc.assert(
      fc.property(configFile, (text) => {
        const result = claude.installer.install(text, target, file);
        if (!result.ok) return;
        let at = 0;
        for (const char of result.edit.text ?? '') if (char === text[at]) at++;
        expect(at).toBe(text.length);
      }),
      { numRuns: 200 },
    );
  });
});
