import { describe, expect, it } from 'vitest';
import { createRedactor } from '../src/index.ts';

const redactor = createRedactor({ key: Buffer.from('0123456789abcdef0123456789abcdef') });

// Put together here, so that no scanner takes this file for a leak.
const a = (count: number, text = 'aB3dE5fG7hJ9kL1mN') => text.repeat(Math.ceil(count / text.length)).slice(0, count);
const GITHUB = `ghp${'_'}${a(36)}`;
const AWS_ID = `AK${'IA'}${'QWERTYUIOPASDF12'}`;
const AWS_SECRET = `wJalr/UtnFEMI+K7MD${a(22)}`;
const JWT = `ey${'J'}${a(20)}.ey${'J'}${a(40)}.${a(43)}`;
const PEM = `-----BEGIN RSA PRIVATE${' KEY'}-----\nMIIE${a(60)}\n${a(64)}\n-----END RSA PRIVATE${' KEY'}-----`;

const secrets: readonly (readonly [what: string, text: string, secret: string, kind: string])[] = [
  ['a GitHub token', `git push https://${GITHUB}@github.com/o/r`, GITHUB, 'github'],
  ['a fine-grained GitHub token', `x github_${'pat'}_${a(60)} y`, `github_${'pat'}_${a(60)}`, 'github'],
  ['a GitLab token', `glpat${'-'}${a(20)}`, `glpat${'-'}${a(20)}`, 'gitlab'],
  ['a Slack token', `use xoxb${'-'}1234567890-${a(24)}!`, `xoxb${'-'}1234567890-${a(24)}`, 'slack'],
  ['a Slack webhook', `curl https://hooks.slack.com/services/T00${a(6)}/B00${a(6)}/${a(24)}`, `${a(6)}/B00${a(6)}/${a(24)}`, 'slack'],
  ['a Stripe key', `sk${'_live_'}${a(24)}`, `sk${'_live_'}${a(24)}`, 'stripe'],
  ['an npm token', `//registry.example/:_authToken=npm${'_'}${a(36)}`, `npm${'_'}${a(36)}`, 'npm'],
  ['an OpenAI key', `export K=sk${'-proj-'}${a(48)}`, `sk${'-proj-'}${a(48)}`, 'openai'],
  ['an Anthropic key', `sk${'-ant-'}api03-${a(60)}`, `sk${'-ant-'}api03-${a(60)}`, 'anthropic'],
  ['a Google key', `AI${'za'}${a(35)}`, `AI${'za'}${a(35)}`, 'google'],
  ['an AWS access key id', `id ${AWS_ID}.`, AWS_ID, 'aws-key-id'],
  ['an AWS secret beside its id', `${AWS_ID} ${AWS_SECRET}`, AWS_SECRET, 'aws-secret'],
  ['a private key', `cat key\n${PEM}\ndone`, PEM, 'private-key'],
  ['a private key in a JSON string', JSON.stringify({ out: PEM }), JSON.stringify(PEM).slice(1, -1), 'private-key'],
  ['a private key whose end was cut off', PEM.slice(0, 100), PEM.slice(40, 100), 'private-key'],
  ['a JWT', `token ${JWT}`, JWT, 'jwt'],
  ['a bearer credential', `curl -H 'Authorization: Bearer ${a(32)}' x`, a(32), 'bearer'],
  ['a basic credential', `Authorization: Basic dXNlcjpwYXNzd29yZA==`, 'dXNlcjpwYXNzd29yZA==', 'basic'],
  ['a basic credential inside a JSON string', `{\\"Authorization\\": \\"Basic dXNlcjpwYXNzd29yZA==\\"}`, 'dXNlcjpwYXNzd29yZA==', 'basic'],
  ['a password in a URL', `psql postgres://app:${'hunter2'}@db.example:5432/x`, 'hunter2', 'url-password'],
  ['an environment assignment', 'PGPASSWORD=correcthorse psql', 'correcthorse', 'password'],
  ['a line of an env file', 'A=1\nDB_PASSWORD=hunter2\nB=2', 'hunter2', 'password'],
  ['a yaml line', '  client_secret: s3cr3tvalue', 's3cr3tvalue', 'secret'],
  ['a quoted assignment with spaces', `const apiKey = 'my private words'`, 'my private words', 'key'],
  ['a field of JSON text', '{"user":"x","password":"p4 \\"quoted\\" w"}', 'p4 \\"quoted\\" w', 'password'],
  ['a field of JSON text inside a JSON string', '{\\"password\\":\\"hunter2\\",\\"a\\":1}', 'hunter2', 'password'],
  ['an option', 'login --user me --password hunter2 --verbose', 'hunter2', 'password'],
  ['an option with quotes', 'login --api-key "my words"', 'my words', 'key'],
  ['a query parameter', 'GET /x?access_token=abcdef&page=2', 'abcdef', 'token'],
  ['a cookie header', 'Cookie: sid=abc123; theme=dark', 'sid=abc123; theme=dark', 'cookie'],
];

describe('a true secret', () => {
  it.each(secrets)('is taken out of a text: %s', (_what, text, secret, kind) => {
    expect(text).toContain(secret);
    const clean = redactor.text(text);
    expect(clean).not.toContain(secret);
    expect(clean).toMatch(new RegExp(`\\[redacted:${kind}:[0-9a-f]{8}\\]`));
  });

  it('leaves everything around it as it was', () => {
    expect(redactor.text(`before ${GITHUB} after`)).toMatch(/^before \[redacted:github:[0-9a-f]{8}\] after$/);
    expect(redactor.text('DB_PASSWORD=hunter2 psql -h db')).toMatch(/^DB_PASSWORD=\[redacted:password:[0-9a-f]{8}\] psql -h db$/);
  });

  it('is the same placeholder wherever it stands, and another under another key', () => {
    const hex = (text: string) => /:([0-9a-f]{8})\]/.exec(text)?.[1];
    const here = hex(redactor.text(`x ${GITHUB} y`));
    expect(here).toBeDefined();
    expect(hex(redactor.value({ token: GITHUB }).token)).toBe(here);
    expect(hex(redactor.text(`DB_PASSWORD=hunter2`))).toBe(hex(redactor.value({ password: 'hunter2' }).password));
    expect(hex(redactor.text(`DB_PASSWORD=hunter3`))).not.toBe(hex(redactor.text(`DB_PASSWORD=hunter2`)));
    expect(hex(createRedactor({ key: Buffer.alloc(32, 7) }).text(`x ${GITHUB} y`))).not.toBe(here);
  });

  it('is found where only taking out the one before it bares its edge', () => {
    const clean = redactor.text(`sk${'-ant-'}${a(255)}${GITHUB}`);
    expect(clean).toMatch(/^\[redacted:anthropic:[0-9a-f]{8}\]\[redacted:github:[0-9a-f]{8}\]$/);
    expect(redactor.text(clean)).toBe(clean);
  });

  it.each([
    ['on lines', (lines: readonly string[]) => lines.join('\n')],
    ['on indented lines', (lines: readonly string[]) => lines.join('\n    ')],
    ['on lines of another system', (lines: readonly string[]) => lines.join('\r\n')],
    ['on escaped lines', (lines: readonly string[]) => JSON.stringify(lines.join('\n'))],
    ['on lines in JSON inside JSON', (lines: readonly string[]) => JSON.stringify(JSON.stringify({ out: `x\n${lines.join('\n')}\n` }))],
  ])('is found %s, and is the same secret as on one', (_how, write) => {
    const long = `ey${'J'}${a(60)}.ey${'J'}${a(120)}.${a(43)}`;
    const clean = redactor.text(write(long.match(/.{1,76}/g) as string[]));
    expect(clean).not.toMatch(/[A-Za-z0-9]{20}/);
    expect(clean).toContain(/\[redacted:jwt:[0-9a-f]{8}\]/.exec(redactor.text(long))?.[0]);
  });

  it('ends with its line where the next one is something else', () => {
    const token = `${GITHUB}${a(20)}`;
    expect(redactor.text(`${token}\nnext line of text`)).toMatch(/^\[redacted:github:[0-9a-f]{8}\]\nnext line of text$/);
  });

  it('never breaks the JSON text that it stands in', () => {
    for (const [, text] of secrets) {
      const line = JSON.stringify({ a: text, b: [text, 1], [`c ${text}`]: null });
      expect(() => JSON.parse(redactor.text(line)), line).not.toThrow();
    }
  });
});

describe('what only looks like a secret', () => {
  const lookalikes = [
    'toolu_01A09q90qw90lq917835lq9',
    'call_abcDEF123456789012345678',
    'session 4f9d2c1e-8a7b-4c3d-9e0f-1a2b3c4d5e6f',
    '01HZXW4T5N8QJ6R7K9M2P3V4B5',
    'commit 9fceb02d0ae598e95dc970b74767f19372d61af8',
    'sha256:e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855',
    'sha512-z4PhNX7vuL3xVChQ1m2AB9Yg5AULVxXcg/SpIdNs6c5H0NE8XYXysP+DGNKHfuwvY7kxvUdBeoGlODJ6+SfaPg==',
    '/home/me/project/src/token/password-reset.ts',
    'max_tokens: 4096, tokens = 12, token_count=17',
    'tokenizer=unicode61',
    'const token = getToken(request)',
    'password: string; token?: string',
    'secret: process.env.SECRET',
    'password=$DB_PASSWORD',
    'curl -H "Authorization: Bearer $TOKEN"',
    'https://user:$PASSWORD@example.org',
    'http://localhost:3000/@scope/pkg',
    'ssh://git@example.org:22/x',
    'the password is in the vault; ask for a token at the desk',
    'class="sk-fading-circle sk-circle-of-many-little-dots"',
    'PWD=/home/me/project',
    'next_page_token=abc123def',
    'cookie: chocolate',
    'Basic understanding of things',
    'AKIA',
    '-----BEGIN CERTIFICATE-----\nMIIB\n-----END CERTIFICATE-----',
    'password=****',
    'secretary: Bob, author: Ann, keyboard=qwerty1',
  ];
  it.each(lookalikes)('survives in a text: %s', (text) => {
    expect(redactor.text(text)).toBe(text);
  });

  it('survives in a recorded payload', () => {
    const payload = {
      session_id: '4f9d2c1e-8a7b-4c3d-9e0f-1a2b3c4d5e6f',
      transcript_path: '/home/me/.agent/projects/-home-me-x/4f9d2c1e.jsonl',
      cwd: '/home/me/x',
      hook_event_name: 'PreToolUse',
      tool_name: 'Bash',
      tool_use_id: 'toolu_01A09q90qw90lq917835lq9',
      tool_input: { command: 'git show 9fceb02d0ae598e95dc970b74767f19372d61af8 && grep -rn token src', description: 'Look' },
      usage: { input_tokens: 5, output_tokens: 7, max_tokens: 10 },
      key: 'value',
      ok: true,
      none: null,
    };
    expect(redactor.value(payload)).toEqual(payload);
  });
});

describe('a JSON value', () => {
  it('loses the strings under telling names, whatever they look like', () => {
    const clean = redactor.value({
      password: 'x',
      clientSecret: 'plain words',
      nested: [{ 'X-Api-Key': 'abc' }],
      token: ['one', 'two'],
      headers: { authorization: 'Basic YWJjOmRlZg==', cookie: 'a=b' },
      environment: [{ name: 'DB_PASSWORD', value: 'hunter2' }],
      port: 5432,
    });
    expect(JSON.stringify(clean)).not.toMatch(/plain words|"abc"|"one"|"two"|YWJj|a=b|hunter2|"x"/);
    expect(clean.headers.authorization).toMatch(/^Basic \[redacted:basic:[0-9a-f]{8}\]$/);
    expect(clean.environment[0]?.name).toBe('DB_PASSWORD');
    expect(clean.port).toBe(5432);
  });

  it('loses the value that a telling name holds in an object, as a value and as text', () => {
    const payload = {
      password: { value: 'hunter2', source: 'vault' },
      token: { value: 'identifier' },
      deep: { api_key: { content: 'abc def' } },
    };
    const clean = redactor.value(payload);
    expect(clean.password).toEqual({ value: expect.stringMatching(/^\[redacted:password:/), source: 'vault' });
    expect(clean.token).toEqual({ value: 'identifier' });
    expect(JSON.stringify(clean)).not.toContain('abc def');
    for (const text of [JSON.stringify(payload), JSON.stringify(payload, null, 2), JSON.stringify({ log: JSON.stringify(payload) })]) {
      expect(redactor.text(text)).not.toMatch(/hunter2|abc def/);
      expect(redactor.text(text)).toMatch(/vault.*identifier/s);
    }
  });

  it('loses secrets in its field names too', () => {
    expect(JSON.stringify(redactor.value({ [GITHUB]: 1 }))).not.toContain(GITHUB);
  });

  it('keeps a field called __proto__ a field', () => {
    const clean = redactor.value(JSON.parse('{"__proto__":{"password":"hunter2"}}'));
    expect(Object.keys(clean)).toEqual(['__proto__']);
    expect(JSON.stringify(clean)).not.toContain('hunter2');
  });

  it('is cut where it is nested beyond reason, and never overflows the stack', () => {
    const deep = JSON.parse('['.repeat(50_000) + ']'.repeat(50_000));
    expect(JSON.stringify(redactor.value(deep))).toContain('redacted:depth');
  });
});

describe('a text holds a token', () => {
  it('if one has a known shape, and not if only a name gives it away', () => {
    for (const text of [`{"a":"${GITHUB}"}`, PEM, `x\u001b[32m${AWS_ID}`, JWT]) expect(redactor.holdsToken(text), text).toBe(true);
    for (const text of ['password = "hunter2hunter"', 'postgres://a:hunter2@db/x', 'token: string', ''])
      expect(redactor.holdsToken(text), text).toBe(false);
  });
});

describe('the redactor', () => {
  it('wants a key of some length', () => {
    expect(() => createRedactor({ key: new Uint8Array(0) })).toThrow(/16 bytes/);
  });
  it('names its rules', () => {
    expect(redactor.version).toMatch(/^5-[0-9a-f]{8}$/);
  });
});
