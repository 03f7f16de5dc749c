import { randomText, type SeededRandom, uuid } from './random.ts';

const words = 'the agent reads a file and then writes the test again because it was red before lunch'.split(' ');
const prose = (random: SeededRandom, count: number): string => Array.from({ length: count }, () => random.pick(words)).join(' ');
const ulid = (random: SeededRandom): string =>
  `01${Array.from({ length: 24 }, () => random.pick([...'0123456789ABCDEFGHJKMNPQRSTVWXYZ'])).join('')}`;
const slug = (random: SeededRandom): string => `${random.pick(words)}-${random.pick(words)}-${random.pick(words)}`;
const identifier = (random: SeededRandom): string =>
  random.pick(['getToken', 'readSecret', 'currentPassword', 'tokenStore', 'apiKeys', 'credentialHelper', 'secretName', 'passwordField']);

/** What agents' payloads are full of, and what only looks like a secret. Each family of them must survive. */
export const LOOKALIKES: Readonly<Record<string, (random: SeededRandom) => string>> = {
  'session id': (random) => `session ${uuid(random)} resumed`,
  'tool call id': (random) =>
    `${random.pick(['toolu_01', 'call_', 'fc_', 'msg_01', 'req_011', 'srvtoolu_01'])}${randomText(random, 'alnum', 22)}`,
  'id in a field': (random) =>
    JSON.stringify({ [random.pick(['id', 'key', 'session', 'call_id', 'request_id'])]: `call_${randomText(random, 'alnum', 24)}` }),
  'opencode id': (random) => `ses_${randomText(random, 'hex', 12)}${randomText(random, 'alnum', 14)}`,
  ulid: (random) => `event ${ulid(random)} stored`,
  'key that is a uuid': (random) => `{"key": "${uuid(random)}"}`,
  'key that is a ulid': (random) => `key = "${ulid(random)}"`,
  'commit sha': (random) => `commit ${randomText(random, 'hex', 40)}\nAuthor: Ann <ann@example.org>`,
  'short shas': (random) => `index ${randomText(random, 'hex', 8)}..${randomText(random, 'hex', 8)} 100644`,
  'key that is a hash': (random) => `cache key: ${randomText(random, 'hex', 64)}`,
  digest: (random) => `image@sha256:${randomText(random, 'hex', 64)}`,
  integrity: (random) => `"integrity": "sha512-${randomText(random, 'base64', 86)}=="`,
  'key that is an integrity': (random) => `"key": "sha512-${randomText(random, 'base64', 86)}=="`,
  'lock file entry': (random) =>
    `"node_modules/${slug(random)}": { "version": "4.1.${random.below(9)}", "resolved": "https://registry.example.org/x-${randomText(random, 'hex', 10)}.tgz" }`,
  etag: (random) => `ETag: "${randomText(random, 'hex', 32)}"`,
  'picture as base64': (random) =>
    JSON.stringify({
      type: 'image',
      source: { type: 'base64', media_type: 'image/png', data: `iVBORw0KGgo${randomText(random, 'base64', 2000)}==` },
    }),
  'picture as a data url': (random) => `<img src="data:image/png;base64,iVBORw0KGgo${randomText(random, 'base64', 900)}=">`,
  'base64 over lines': (random) => Array.from({ length: 8 }, () => randomText(random, 'base64', 76)).join('\n'),
  certificate: (random) =>
    `-----BEGIN CERTIFICATE-----\n${Array.from({ length: 6 }, () => randomText(random, 'base64', 64)).join('\n')}\n-----END CERTIFICATE-----`,
  'public key': (random) => `-----BEGIN PUBLIC KEY-----\n${randomText(random, 'base64', 64)}\n-----END PUBLIC KEY-----`,
  'ssh public key': (random) => `ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAI${randomText(random, 'base64', 43)} ann@host`,
  path: (random) => `/home/me/project/src/${random.pick(['token', 'secret', 'password', 'auth'])}/${slug(random)}.ts`,
  'transcript path': (random) => JSON.stringify({ transcript_path: `/home/me/.agent/projects/-home-me-x/${uuid(random)}.jsonl` }),
  'path of a key': (random) =>
    `private_key: ${random.pick(['/etc/ssl/private/site.key', './certs/dev.pem', '~/.ssh/id_ed25519', 'certs/server.key'])}`,
  'count of tokens': (random) =>
    JSON.stringify({ usage: { input_tokens: random.below(9999), max_tokens: 4096, cache_read_input_tokens: random.below(99) } }),
  'tokens in text': (random) => `max_tokens: ${random.below(9999)}, tokens=${random.below(99)}, token_count = ${random.below(999)}`,
  'page token': (random) => `{"nextPageToken": "${randomText(random, 'alnum', 24)}"}`,
  'continuation token': (random) => `next_page_token=${randomText(random, 'alnum', 16)}&limit=10`,
  'tokenizer output': (random) => JSON.stringify({ token: ` ${random.pick(words)}`, logprob: -0.5, bytes: [32, 97] }),
  'token type': () => '{"token_type":"Bearer","expires_in":3600,"token":null}',
  'type in code': (random) =>
    random.pick([
      'interface Login { password: string; token?: string }',
      'password: str',
      'func login(token string, secret []byte) error',
      'let secret: Option<String> = None;',
      'token: Token,',
      'password: SecretStr',
    ]),
  'variable in code': (random) => `const ${random.pick(['token', 'password', 'apiKey'])} = ${identifier(random)}(request)`,
  'field in code': (random) =>
    `${random.pick(['self.password', 'this.token', 'config.secret'])} = ${random.pick(['options.password', 'request.token', 'settings.client_secret', 'password'])}`,
  'argument in code': (random) => `connect(host=host, password=${random.pick(['password', 'pw', 'secret'])}, token=token)`,
  'comparison in code': () => 'if (token === expected && password == other) return apiKey !== null;',
  'environment in code': (random) =>
    random.pick([
      'secret: process.env.SECRET',
      "password = os.environ['DB_PASSWORD']",
      `token: \${{ secrets.GITHUB_TOKEN }}`,
      'api_key = os.getenv("API_KEY")',
      'apiKey: import.meta.env.VITE_KEY',
    ]),
  'shell variable': (random) =>
    random.pick([
      'password=$DB_PASSWORD',
      'curl -H "Authorization: Bearer $TOKEN" x',
      `TOKEN="\${GITHUB_TOKEN}"`,
      'mysql -p"$PASS"',
      'export API_KEY=$(cat key)',
      'curl -u "$USER:$PASS" https://example.org',
    ]),
  'template of a secret': (random) =>
    random.pick([
      'password: <your password>',
      'API_KEY=YOUR_API_KEY',
      'token: "{{ token }}"',
      'secret: ********',
      'Authorization: Bearer <token>',
      'api_key: "your-api-key-here"',
      'password=xxxxxxxx',
    ]),
  'secret in a vault': (random) =>
    random.pick([
      'password: op://vault/item/field',
      'secret: vault:secret/data/app#password',
      'token: arn:aws:secretsmanager:eu-west-1:123456789012:secret:app-AbCdEf',
      'apiKey: projects/x/secrets/key/versions/1',
    ]),
  'label in a program': (random) =>
    random.pick([
      "password: 'Password'",
      '"token": "Your token has expired"',
      "secret: 'Enter the secret'",
      '"password": "Forgot your password?"',
      'token="Invalid token"',
    ]),
  prose: (random) => `${prose(random, 8)} the password and ${prose(random, 4)}: a token is ${prose(random, 5)}.`,
  'prose with a colon': (random) => `About the secret: ${prose(random, 6)}. Token: ${prose(random, 3)}`,
  'basic words': (random) => `Basic understanding of ${prose(random, 3)}; bearer of ${prose(random, 2)}`,
  url: (random) => `https://example.org:8443/${slug(random)}?id=${randomText(random, 'alnum', 12)}&v=${random.below(99)}`,
  'url with a user': (random) => `ssh://git@example.org:22/team/${slug(random)}.git`,
  'scoped package': (random) => `http://localhost:3000/@scope/${slug(random)} and npm i @types/node@20.1.${random.below(9)}`,
  'class names': (random) => `class="sk-${slug(random)} sk-circle-of-many-little-dots re_render fw_bold hf_layout"`,
  'names of variables': (random) => `npm_config_cache=/x npm_package_name=${slug(random)} PWD=/home/me OLDPWD=/x`,
  'names of secrets': (random) => `secretKeyRef:\n  name: ${slug(random)}\n  key: database-url\nsecretName: app-tls`,
  'words that end alike': (random) =>
    `secretary: Bob, author: ${random.pick(words)}, keyboard=qwerty1, monkey: banana, turkey=5, donkey: ${random.below(9)}`,
  'cookie that is none': () => 'cookie: chocolate, accept cookies = true, cookie_policy: strict',
  'capital words': (random) => `AKIAAAAAAAAAAAAAAAAA ASIA PACIFIC SK${random.below(999)} AC-12 API-REFERENCE SG.x hvs.y`,
  colours: (random) => `--key-colour: #${randomText(random, 'hex', 6)}; --token: ${random.below(9)}px`,
  version: (random) => `v1.0-${random.below(9)} sl.ack pat-na1 sdk-1.2.${random.below(9)} key-value pul-request`,
  time: (random) => `2026-11-15T12:${10 + random.below(49)}:00.123Z pid=${random.below(9999)} auth: ok, pass: ${random.below(99)}, fail: 0`,
  'mail address': (random) => `mailto:${random.pick(words)}.${random.pick(words)}@example.org`,
  'minified code': (random) =>
    `function ${randomText(random, 'letters', 2)}(e,t){return e.token=t,e.key=n(e),a[t.key]=r,{key:e.key,token:t}}`,
  'token of a parser': (random) =>
    `{"token": {"value": "${random.pick(['const', 'identifier', 'return', 'className'])}", "line": ${random.below(99)}}}`,
  'schema of a field': () => '{"password": {"type": "string", "minLength": 8}, "apiKey": {"description": "Your key"}}',
  translation: () => '{"auth.password":"Passwort","auth.token.label":"Token","login.secret.hint":"Your secret token"}',
};
