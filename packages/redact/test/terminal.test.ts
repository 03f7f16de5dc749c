import { describe, expect, it } from 'vitest';
import { createRedactor } from '../src/index.ts';

const redactor = createRedactor({ key: Buffer.alloc(32, 5) });

// Put together here, so that no scanner takes this file for a leak.
const a = (count: number, text = 'aB3dE5fG7hJ9kL1mN') => text.repeat(Math.ceil(count / text.length)).slice(0, count);
const TOKENS: readonly (readonly [kind: string, token: string])[] = [
  ['github', `ghp${'_'}${a(36)}`],
  ['npm', `npm${'_'}${a(36)}`],
  ['replicate', `r8${'_'}${a(37)}`],
  ['tailscale', `tskey${'-auth-'}${a(12)}-${a(32)}`],
  ['aws-key-id', `AK${'IA'}QWERTYUIOPASDF12`],
  ['jwt', `ey${'J'}${a(20)}.ey${'J'}${a(40)}.${a(43)}`],
  ['telegram', `1234567890${':AA'}${a(33)}`],
  ['stripe', `sk${'_live_'}${a(24)}`],
];
const ESC = '\u001b';
const BEL = '\u0007';

/** Every way in which programs write ESC, and the backslash that ends a string after it. */
const ESCAPES: readonly (readonly [how: string, escape: string, backslash: string, bell: string])[] = [
  ['the character', ESC, '\\', BEL],
  ['JSON', '\\u001b', '\\\\', '\\u0007'],
  ['JSON in capitals', '\\u001B', '\\\\', BEL],
  ['JSON in JSON', '\\\\u001b', '\\\\\\\\', '\\\\u0007'],
  ['JSON in JSON in JSON', '\\\\\\\\u001b', '\\\\\\\\\\\\\\\\', '\\\\\\\\u0007'],
  ['\\e', '\\e', '\\\\', '\\a'],
  ['\\E', '\\E', '\\\\', '\\a'],
  ['octal', '\\033', '\\\\', '\\007'],
  ['hex', '\\x1b', '\\\\', '\\x07'],
  ['hex in capitals', '\\x1B', '\\\\', '\\x07'],
  ['a code point', '\\u{1b}', '\\\\', '\\x07'],
  ['caret notation', '^[', '\\', '^G'],
];
const colours = ['[32m', '[0m', '[1;31m', '[38;5;208m', '[38;2;249;38;114m', '[K', '[2K', '[1G', '[?25h', '[01;31m', '(B'];
const hex = (text: string) => [...new Set(Array.from(text.matchAll(/:([0-9a-f]{8})\]/g), (match) => match[1]))];

describe.each(ESCAPES)('a control sequence whose escape is written as %s', (_how, esc, backslash, bell) => {
  it.each(TOKENS)('is an edge of a token: %s', (kind, token) => {
    for (const colour of colours) {
      for (const before of ['', 'x', 'key is ', 'a9']) {
        const text = `${before}${esc}${colour}${token}${esc}[0m rest`;
        const clean = redactor.text(text);
        expect(clean, text).toContain(`[redacted:${kind}:`);
        expect(clean, text).not.toContain(token.slice(-12));
        expect(clean, text).toContain(`${esc}${colour}[redacted`);
        expect(clean, text).toContain(`${esc}[0m rest`);
        expect(redactor.text(clean)).toBe(clean);
      }
    }
  });

  it.each(TOKENS)('names no part of a token in a hyperlink: %s', (_kind, token) => {
    for (const end of [`${esc}${backslash}`, bell]) {
      const text = `x${esc}]8;;https://example.org/${end}${token}${esc}]8;;${end} rest`;
      expect(redactor.text(text), text).not.toContain(token.slice(-12));
      const inside = `${esc}]8;;https://example.org/?t=${token}${end}link${esc}]8;;${end}`;
      expect(redactor.text(inside), inside).not.toContain(token.slice(-12));
      expect(redactor.text(text)).toContain('https://example.org/');
    }
  });

  it('is transparent between a name and its value', () => {
    const e = esc;
    const written = [
      `DB_PASSWORD${e}[0m=hunter2hunter`,
      `DB_PASSWORD=${e}[32mhunter2hunter${e}[0m`,
      `${e}[36mDB_PASSWORD${e}[0m${e}[1m=${e}[0m${e}[32mhunter2hunter${e}[0m`,
      `${e}[36mDB_PASSWORD${e}[0m: ${e}[32mhunter2hunter${e}[0m\nx`,
      `--password ${e}[4mhunter2hunter${e}[0m`,
      `psql postgres://app:${e}[31mhunter2hunter${e}[0m@db/x`,
      `pass${e}[1mword${e}[0m=hunter2hunter`,
      `password=hun${e}[1mter2${e}[0mhunter`,
    ];
    for (const text of written) {
      const clean = redactor.text(text);
      expect(clean.replaceAll(`${e}[1m`, '').replaceAll(`${e}[0m`, ''), text).not.toContain('ter2');
      expect(redactor.text(clean)).toBe(clean);
    }
    expect(hex(written.map((text) => redactor.text(text)).join('\n'))).toHaveLength(1);
  });
});

describe('colours', () => {
  it('are no part of a quoted value, in plain text and in JSON', () => {
    const json = `${ESC}[0m${ESC}[34;1m"password"${ESC}[0m${ESC}[1;39m:${ESC}[0m ${ESC}[0;32m"hunter2hunter"${ESC}[0m`;
    for (const text of [json, JSON.stringify(json), JSON.stringify({ out: JSON.stringify(json) })])
      expect(redactor.text(text), text).not.toContain('hunter2');
    const value = JSON.stringify({ password: `${ESC}[32mhunter2hunter${ESC}[0m`, next: 'kept' });
    expect(JSON.parse(redactor.text(value))).toMatchObject({ next: 'kept' });
    expect(hex(redactor.text(value))).toEqual(hex(redactor.text('password=hunter2hunter')));
  });

  it('do not hide a token that a search has highlighted in part', () => {
    const [, token] = TOKENS[0] as (typeof TOKENS)[number];
    for (const cut of [2, 4, 9, 20]) {
      const text = `.env:${ESC}[01;31m${ESC}[K${token.slice(0, cut)}${ESC}[m${ESC}[K${token.slice(cut)}`;
      const clean = redactor.text(text);
      expect(clean, text).toMatch(/^\.env:.*\[redacted:github:[0-9a-f]{8}\]$/s);
      expect(clean).not.toContain(token.slice(-8));
    }
  });

  it('whose escape a log has dropped are edges too', () => {
    for (const [kind, token] of TOKENS) expect(redactor.text(`[32m${token}[0m`)).toContain(`[32m[redacted:${kind}:`);
  });

  it('whose escape is encoded for a URL or a page are edges too', () => {
    for (const [kind, token] of TOKENS)
      for (const start of ['%1B%5B32m', '%1b[32m', '%251B%255B32m', '&#27;[32m', '&#x1b;[32m'])
        expect(redactor.text(`${start}${token} x`), start).toContain(`[redacted:${kind}:`);
  });

  it('of real tools stay as they are where nothing is secret', () => {
    const clean = [
      `${ESC}[32m✓${ESC}[39m src/token.test.ts ${ESC}[2m(${ESC}[22m${ESC}[2m4 tests${ESC}[22m${ESC}[2m)${ESC}[22m`,
      `${ESC}[01;34msrc${ESC}[0m  ${ESC}[01;32mbuild.sh${ESC}[0m`,
      `${ESC}]0;me@host: ~/project${BEL}$ ls`,
      `${ESC}]8;;file:///home/me/x.ts${ESC}\\x.ts${ESC}]8;;${ESC}\\`,
      `rate(http_requests_total[5m]) by (token)`,
      `${ESC}[33mcommit 9fceb02d0ae598e95dc970b74767f19372d61af8${ESC}[m`,
      `${ESC}[31mpassword${ESC}[0m: ${ESC}[32mstring${ESC}[0m;`,
    ];
    for (const text of [...clean, JSON.stringify(clean)]) expect(redactor.text(text)).toBe(text);
  });
});
