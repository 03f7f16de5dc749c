import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { createRedactor } from '../src/index.ts';
import { TABLE } from '../src/rules/index.ts';

const redactor = createRedactor({ key: Buffer.alloc(32, 1) });

/** Text made of the pieces that rules look for, glued together at random: what plain random text never hits. */
const piece = fc.oneof(
  fc.constantFrom(
    'password',
    'token',
    'api_key',
    'AKIA',
    'ghp_',
    'sk-',
    'eyJ',
    'Bearer ',
    'Authorization: Basic ',
    'cookie: ',
    '://',
    '-----BEGIN PRIVATE KEY-----',
    '-----END PRIVATE KEY-----',
    'key',
    'Basic ',
    'authorization',
    '<password>',
    '","value":"',
    '\n  value: ',
    '%3D',
    'curl -u a:',
    'mysql -p',
    'login me password ',
    '.password',
    '\\n',
    '\\\\\\"',
  ),
  fc.constantFrom(
    '\u001b[32m',
    '\u001b[0m',
    '\u001b',
    '\u001b]8;;',
    '\u001b\\',
    '\u0007',
    '\u001b(B',
    '\\u001b[32m',
    '\\\\u001b[0m',
    '\\u001b]8;;',
    '\\e[1m',
    '\\033[',
    '^[[0m',
    '^[]0;',
    '[0m',
    '%1B%5B0m',
    '\u009b1m',
    '&quot;',
    '\\u0022',
    '\\u003d',
    '%22',
    '%25',
    ':\\/\\/',
    '\\x3d',
  ),
  fc.constantFrom(
    '=',
    ':',
    '"',
    "'",
    '\\"',
    '\\',
    ' ',
    '\n',
    '@',
    '.',
    '-',
    ';',
    '&',
    '[redacted:',
    '[redacted:key:01234567]',
    ']',
    '$X',
    '--',
  ),
  fc.stringMatching(/^[A-Za-z0-9]{1,45}$/),
  fc.string({ maxLength: 6 }),
);
const glued = fc.array(piece, { maxLength: 14 }).map((pieces) => pieces.join(''));
const json = fc.letrec((tie) => ({
  any: fc.oneof(
    { maxDepth: 4 },
    glued,
    fc.integer(),
    fc.boolean(),
    fc.constant(null),
    fc.array(tie('any'), { maxLength: 4 }),
    fc.dictionary(fc.oneof(glued, fc.constantFrom('password', 'name', 'value', 'token', 'a')), tie('any'), { maxKeys: 4 }),
  ),
})).any;

const shape = (value: unknown): unknown => {
  if (typeof value === 'string') return 'string';
  if (Array.isArray(value)) return value.map(shape);
  if (typeof value === 'object' && value !== null) return Object.values(value).map(shape);
  return value;
};

describe('whatever the text', () => {
  it('redacting twice is redacting once', () => {
    fc.assert(
      fc.property(glued, (text) => {
        const once = redactor.text(text);
        expect(redactor.text(once)).toBe(once);
      }),
      { numRuns: 2000 },
    );
  });

  it('the same holds for values, and their shape is kept', () => {
    fc.assert(
      fc.property(json, (value) => {
        const once = redactor.value(value);
        expect(shape(once)).toEqual(shape(value));
        expect(redactor.value(once)).toEqual(once);
      }),
      { numRuns: 2000 },
    );
  });

  it('JSON text stays JSON', () => {
    fc.assert(
      fc.property(json, (value) => {
        expect(() => JSON.parse(redactor.text(JSON.stringify(value)))).not.toThrow();
      }),
      // These once broke: a quote that closes the string around a name was read as the one that opens its value.
      {
        numRuns: 2000,
        examples: [
          ...[[{ password: ['password"%3D'] }], [{ "password'=": 0 }], [['token=', 'x']], [{ 'a token="': 'b' }]],
          ...['&quot;', '%22', '&#34;', '\\u0022'].map((quote) => [[`password${quote}=`, 'x']]),
          ...['&quot;', '%22', '&#x22;'].map((quote) => [{ [`token${quote}=`]: [JSON.stringify([`password${quote}=`])] }]),
        ] as [fc.JsonValue][],
      },
    );
  });

  it('cutting it into pieces makes no difference, not even within a character', () => {
    fc.assert(
      fc.property(glued, fc.array(fc.nat(64), { maxLength: 8 }), (text, cuts) => {
        const bytes = Buffer.from(`${text} é 𝄞`);
        const stream = redactor.stream();
        let done = 0;
        for (const cut of [...cuts, bytes.length]) {
          stream.write(bytes.subarray(done, done + cut));
          done += cut;
        }
        expect(stream.end()).toBe(redactor.text(bytes.toString()));
      }),
      { numRuns: 1000 },
    );
  });

  it('a GitHub token in the middle of it never survives behind a space', () => {
    const secret = `ghp${'_'}${'Ab1'.repeat(12)}`;
    fc.assert(
      fc.property(glued, glued, (before, after) => !redactor.text(`${before} ${secret} ${after}`).includes(secret)),
      { numRuns: 2000 },
    );
  });
});

describe('a text made to be slow', () => {
  const prefixes = TABLE.rules.flatMap((rule) => rule.prefixes);
  const pieces = [
    ...['eyJ', 'token="', "token='", 'token=`', 'token=', 'token:', 'token: ', '--token ', '<token>', '"token","', 'token%3D', 'token=>'],
    ...['://', '://a:', '://a:b', 'a.token', 'password a\n  value: ', 'login a password ', '-p', '-u a:', 'mysql -pabcdef '],
    ...['AKIAAAAAAAAAAAAAAAA1 ', '-----BEGIN PRIVATE KEY-----', '-----END ', 'cookie: a=', 'cookie: a=b; ', 'Bearer ', 'Basic YTpi'],
    ...[
      'password\\"',
      'token:\\"',
      'token:\\\\\\"a',
      '\\',
      '\\n',
      '-',
      '_',
      'authorization',
      'authorization: basic ',
      '[redacted:',
      '%41',
      '"',
    ],
    ...[
      'eyJaaaaaaaaaaa.',
      'sk-/',
      'sk-aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa\n',
      'aaaaaaaaaaaaaaaaaaaaaaaaaa.',
      'key: ',
      'key="',
    ],
    ...[
      '\u001b',
      '\u001b[',
      '\u001b[0m',
      '\u001b]',
      '\u001b]8;;a',
      '\\e]',
      '\\u001b]8;;',
      '\\u001b[3',
      '^[]',
      '^[]8;;',
      '%1B%5B',
      '%1B',
      '%25',
      '%3D',
    ],
    ...[
      '[0;',
      '[0m',
      '\u009b',
      '\u009b0',
      '&#27;',
      '&quot;',
      'token=&quot;',
      'token\u001b[0m=\u001b[0m',
      'token=\u001b[0ma',
      '\\u003d',
      '\\x3d',
      ':\\/\\/',
    ],
    ...prefixes,
    ...prefixes.map((prefix) => `${prefix}/`),
  ];
  /** Of the processor, in milliseconds: what else the machine does counts for nothing. */
  const timed = (text: string): number => {
    const started = process.cpuUsage();
    redactor.text(text);
    const { user, system } = process.cpuUsage(started);
    return (user + system) / 1000;
  };

  // Eight times the text may take eight times as long; a quadratic rule takes sixty-four times. The bound lies far from both.
  it('takes time in proportion to its length, whatever it repeats', { timeout: 600_000 }, () => {
    const slow = [...new Set(pieces)].filter((piece) => {
      const times = (length: number): string => piece.repeat(Math.ceil(length / piece.length));
      const [short, long] = [times(10_000), times(80_000)];
      const isSlow = (): boolean => timed(long) > 25 * Math.max(timed(short), 1);
      return isSlow() && isSlow() && isSlow();
    });
    expect(slow).toEqual([]);
  });
});
