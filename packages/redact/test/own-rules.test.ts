import { describe, expect, it } from 'vitest';
import { createRedactor, readOwnRules } from '../src/index.ts';

const key = Buffer.alloc(32, 4);
const TOKEN = `ghp${'_'}${'Ab1'.repeat(12)}`;

describe('own rules', () => {
  it('take out what they match, under their own name', () => {
    const { own, problems } = readOwnRules({ rules: [{ name: 'badge', pattern: 'EMP-\\d{6}' }] });
    expect(problems).toEqual([]);
    const redactor = createRedactor({ key, own });
    expect(redactor.text('who is EMP-123456?')).toMatch(/^who is \[redacted:badge:[0-9a-f]{8}\]\?$/);
    expect(redactor.value({ note: ['EMP-123456'] }).note[0]).toMatch(/^\[redacted:badge:/);
    const twice = redactor.text(redactor.text('EMP-123456 EMP-654321'));
    expect(twice).toBe(redactor.text('EMP-123456 EMP-654321'));
  });

  it('take out only their first group, if they have one', () => {
    const { own } = readOwnRules({ rules: [{ name: 'pin', pattern: 'pin is (\\d{4})' }] });
    expect(createRedactor({ key, own }).text('the pin is 4711.')).toMatch(/^the pin is \[redacted:pin:[0-9a-f]{8}\]\.$/);
  });

  it('are refused where they could take very long, and the others still count', () => {
    const { own, problems } = readOwnRules({
      rules: [
        { name: 'good', pattern: 'AB\\d+' },
        { name: 'nested', pattern: '(a+)+b' },
        { name: 'many', pattern: '\\w+-\\w+-\\w+' },
        { name: 'Bad Name', pattern: 'x' },
        { name: 'broken', pattern: '[' },
        { name: 'empty', pattern: 'a*' },
        'no rule at all',
      ],
      allow: [7],
    });
    expect(own.rules.map(({ name }) => name)).toEqual(['good']);
    expect(problems).toHaveLength(7);
    expect(createRedactor({ key, own }).text('AB12 x')).toMatch(/^\[redacted:good:/);
  });

  it('stay linear: a long repeat is read in bounded steps', () => {
    const { own } = readOwnRules({ rules: [{ name: 'long', pattern: '[a-z]+!' }] });
    expect(own.rules).toHaveLength(1);
    expect(createRedactor({ key, own }).text('a'.repeat(1_000_000))).toHaveLength(1_000_000);
  });

  it('change the version that is stamped on what they redacted', () => {
    const plain = createRedactor({ key }).version;
    const { own } = readOwnRules({ rules: [{ name: 'badge', pattern: 'EMP-\\d{6}' }] });
    expect(createRedactor({ key, own }).version).toMatch(new RegExp(`^${plain}\\+[0-9a-f]{8}$`));
  });
});

describe('the allow-list', () => {
  it('keeps what it names, as a text or as a pattern', () => {
    const { own, problems } = readOwnRules({ allow: [TOKEN, '/test-[a-z]+/'] });
    expect(problems).toEqual([]);
    const redactor = createRedactor({ key, own });
    expect(redactor.text(`use ${TOKEN}`)).toBe(`use ${TOKEN}`);
    expect(redactor.text(`use ${TOKEN}x`)).not.toContain(TOKEN);
    expect(redactor.value({ password: 'test-abc', token: 'test-abc1' })).toMatchObject({
      password: 'test-abc',
      token: expect.stringMatching(/^\[redacted:/),
    });
  });
});

describe('a redactor', () => {
  it('without any rule is refused: its stamp would be a lie', () => {
    expect(() => createRedactor({ key, table: { rules: [], shapes: [] } })).toThrow(/without rules/);
  });

  it('tells how many it found, of which kind', () => {
    const found: string[] = [];
    createRedactor({ key }).value({ a: `${TOKEN} and ${TOKEN}`, password: 'hunter2' }, (kind) => found.push(kind));
    expect(found.sort()).toEqual(['github', 'github', 'password']);
  });

  it('knows a secret again however it was written', () => {
    const redactor = createRedactor({ key });
    const hex = (text: string) => [...new Set(Array.from(text.matchAll(/:([0-9a-f]{8})\]/g), (match) => match[1]))];
    const secret = 'p4 "quoted" \\ word';
    const forms = [
      redactor.value({ password: secret }).password,
      redactor.text(JSON.stringify({ password: secret })),
      redactor.text(JSON.stringify(JSON.stringify({ password: secret }))),
      redactor.text(JSON.stringify(JSON.stringify(JSON.stringify({ password: secret })))),
    ];
    expect(hex(forms.join('\n'))).toHaveLength(1);
    const pem = `-----BEGIN PRIVATE${' KEY'}-----\n${'MIIEabc1'.repeat(8)}\n${'defgHI23'.repeat(8)}\n-----END PRIVATE${' KEY'}-----`;
    expect(
      hex(
        [pem, JSON.stringify(pem), JSON.stringify(JSON.stringify(pem)), pem.replaceAll('\n', '\r\n')]
          .map((text) => redactor.text(text))
          .join(),
      ),
    ).toHaveLength(1);
  });
});
