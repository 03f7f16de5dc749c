import { type Dice, random, uuid } from './dice.ts';

const words = 'the agent reads a file and then writes the test again because it was red before lunch'.split(' ');
const prose = (dice: Dice, count: number): string => Array.from({ length: count }, () => dice.pick(words)).join(' ');
const ulid = (dice: Dice): string => `01${Array.from({ length: 24 }, () => dice.pick([...'0123456789ABCDEFGHJKMNPQRSTVWXYZ'])).join('')}`;
const slug = (dice: Dice): string => `${dice.pick(words)}-${dice.pick(words)}-${dice.pick(words)}`;
const identifier = (dice: Dice): string =>
  dice.pick(['getToken', 'readSecret', 'currentPassword', 'tokenStore', 'apiKeys', 'credentialHelper', 'secretName', 'passwordField']);

/** What agents' payloads are full of, and what only looks like a secret. Each family of them must survive. */
export const LOOKALIKES: Readonly<Record<string, (dice: Dice) => string>> = {
  'session id': (dice) => `session ${uuid(dice)} resumed`,
  'tool call id': (dice) => `${dice.pick(['toolu_01', 'call_', 'fc_', 'msg_01', 'req_011', 'srvtoolu_01'])}${random(dice, 'alnum', 22)}`,
  'id in a field': (dice) =>
    JSON.stringify({ [dice.pick(['id', 'key', 'session', 'call_id', 'request_id'])]: `call_${random(dice, 'alnum', 24)}` }),
  'opencode id': (dice) => `ses_${random(dice, 'hex', 12)}${random(dice, 'alnum', 14)}`,
  ulid: (dice) => `event ${ulid(dice)} stored`,
  'key that is a uuid': (dice) => `{"key": "${uuid(dice)}"}`,
  'key that is a ulid': (dice) => `key = "${ulid(dice)}"`,
  'commit sha': (dice) => `commit ${random(dice, 'hex', 40)}\nAuthor: Ann <ann@example.org>`,
  'short shas': (dice) => `index ${random(dice, 'hex', 8)}..${random(dice, 'hex', 8)} 100644`,
  'key that is a hash': (dice) => `cache key: ${random(dice, 'hex', 64)}`,
  digest: (dice) => `image@sha256:${random(dice, 'hex', 64)}`,
  integrity: (dice) => `"integrity": "sha512-${random(dice, 'base64', 86)}=="`,
  'key that is an integrity': (dice) => `"key": "sha512-${random(dice, 'base64', 86)}=="`,
  'lock file entry': (dice) =>
    `"node_modules/${slug(dice)}": { "version": "4.1.${dice.below(9)}", "resolved": "https://registry.example.org/x-${random(dice, 'hex', 10)}.tgz" }`,
  etag: (dice) => `ETag: "${random(dice, 'hex', 32)}"`,
  'picture as base64': (dice) =>
    JSON.stringify({
      type: 'image',
      source: { type: 'base64', media_type: 'image/png', data: `iVBORw0KGgo${random(dice, 'base64', 2000)}==` },
    }),
  'picture as a data url': (dice) => `<img src="data:image/png;base64,iVBORw0KGgo${random(dice, 'base64', 900)}=">`,
  'base64 over lines': (dice) => Array.from({ length: 8 }, () => random(dice, 'base64', 76)).join('\n'),
  certificate: (dice) =>
    `-----BEGIN CERTIFICATE-----\n${Array.from({ length: 6 }, () => random(dice, 'base64', 64)).join('\n')}\n-----END CERTIFICATE-----`,
  'public key': (dice) => `-----BEGIN PUBLIC KEY-----\n${random(dice, 'base64', 64)}\n-----END PUBLIC KEY-----`,
  'ssh public key': (dice) => `ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAI${random(dice, 'base64', 43)} ann@host`,
  path: (dice) => `/home/me/project/src/${dice.pick(['token', 'secret', 'password', 'auth'])}/${slug(dice)}.ts`,
  'transcript path': (dice) => JSON.stringify({ transcript_path: `/home/me/.agent/projects/-home-me-x/${uuid(dice)}.jsonl` }),
  'path of a key': (dice) =>
    `private_key: ${dice.pick(['/etc/ssl/private/site.key', './certs/dev.pem', '~/.ssh/id_ed25519', 'certs/server.key'])}`,
  'count of tokens': (dice) =>
    JSON.stringify({ usage: { input_tokens: dice.below(9999), max_tokens: 4096, cache_read_input_tokens: dice.below(99) } }),
  'tokens in text': (dice) => `max_tokens: ${dice.below(9999)}, tokens=${dice.below(99)}, token_count = ${dice.below(999)}`,
  'page token': (dice) => `{"nextPageToken": "${random(dice, 'alnum', 24)}"}`,
  'continuation token': (dice) => `next_page_token=${random(dice, 'alnum', 16)}&limit=10`,
  'tokenizer output': (dice) => JSON.stringify({ token: ` ${dice.pick(words)}`, logprob: -0.5, bytes: [32, 97] }),
  'token type': () => '{"token_type":"Bearer","expires_in":3600,"token":null}',
  'type in code': (dice) =>
    dice.pick([
      'interface Login { password: string; token?: string }',
      'password: str',
      'func login(token string, secret []byte) error',
      'let secret: Option<String> = None;',
      'token: Token,',
      'password: SecretStr',
    ]),
  'variable in code': (dice) => `const ${dice.pick(['token', 'password', 'apiKey'])} = ${identifier(dice)}(request)`,
  'field in code': (dice) =>
    `${dice.pick(['self.password', 'this.token', 'config.secret'])} = ${dice.pick(['options.password', 'request.token', 'settings.client_secret', 'password'])}`,
  'argument in code': (dice) => `connect(host=host, password=${dice.pick(['password', 'pw', 'secret'])}, token=token)`,
  'comparison in code': () => 'if (token === expected && password == other) return apiKey !== null;',
  'environment in code': (dice) =>
    dice.pick([
      'secret: process.env.SECRET',
      "password = os.environ['DB_PASSWORD']",
      `token: \${{ secrets.GITHUB_TOKEN }}`,
      'api_key = os.getenv("API_KEY")',
      'apiKey: import.meta.env.VITE_KEY',
    ]),
  'shell variable': (dice) =>
    dice.pick([
      'password=$DB_PASSWORD',
      'curl -H "Authorization: Bearer $TOKEN" x',
      `TOKEN="\${GITHUB_TOKEN}"`,
      'mysql -p"$PASS"',
      'export API_KEY=$(cat key)',
      'curl -u "$USER:$PASS" https://example.org',
    ]),
  'template of a secret': (dice) =>
    dice.pick([
      'password: <your password>',
      'API_KEY=YOUR_API_KEY',
      'token: "{{ token }}"',
      'secret: ********',
      'Authorization: Bearer <token>',
      'api_key: "your-api-key-here"',
      'password=xxxxxxxx',
    ]),
  'secret in a vault': (dice) =>
    dice.pick([
      'password: op://vault/item/field',
      'secret: vault:secret/data/app#password',
      'token: arn:aws:secretsmanager:eu-west-1:123456789012:secret:app-AbCdEf',
      'apiKey: projects/x/secrets/key/versions/1',
    ]),
  'label in a program': (dice) =>
    dice.pick([
      "password: 'Password'",
      '"token": "Your token has expired"',
      "secret: 'Enter the secret'",
      '"password": "Forgot your password?"',
      'token="Invalid token"',
    ]),
  prose: (dice) => `${prose(dice, 8)} the password and ${prose(dice, 4)}: a token is ${prose(dice, 5)}.`,
  'prose with a colon': (dice) => `About the secret: ${prose(dice, 6)}. Token: ${prose(dice, 3)}`,
  'basic words': (dice) => `Basic understanding of ${prose(dice, 3)}; bearer of ${prose(dice, 2)}`,
  url: (dice) => `https://example.org:8443/${slug(dice)}?id=${random(dice, 'alnum', 12)}&v=${dice.below(99)}`,
  'url with a user': (dice) => `ssh://git@example.org:22/team/${slug(dice)}.git`,
  'scoped package': (dice) => `http://localhost:3000/@scope/${slug(dice)} and npm i @types/node@20.1.${dice.below(9)}`,
  'class names': (dice) => `class="sk-${slug(dice)} sk-circle-of-many-little-dots re_render fw_bold hf_layout"`,
  'names of variables': (dice) => `npm_config_cache=/x npm_package_name=${slug(dice)} PWD=/home/me OLDPWD=/x`,
  'names of secrets': (dice) => `secretKeyRef:\n  name: ${slug(dice)}\n  key: database-url\nsecretName: app-tls`,
  'words that end alike': (dice) =>
    `secretary: Bob, author: ${dice.pick(words)}, keyboard=qwerty1, monkey: banana, turkey=5, donkey: ${dice.below(9)}`,
  'cookie that is none': () => 'cookie: chocolate, accept cookies = true, cookie_policy: strict',
  'capital words': (dice) => `AKIAAAAAAAAAAAAAAAAA ASIA PACIFIC SK${dice.below(999)} AC-12 API-REFERENCE SG.x hvs.y`,
  colours: (dice) => `--key-colour: #${random(dice, 'hex', 6)}; --token: ${dice.below(9)}px`,
  version: (dice) => `v1.0-${dice.below(9)} sl.ack pat-na1 sdk-1.2.${dice.below(9)} key-value pul-request`,
  time: (dice) => `2026-11-15T12:${10 + dice.below(49)}:00.123Z pid=${dice.below(9999)} auth: ok, pass: ${dice.below(99)}, fail: 0`,
  'mail address': (dice) => `mailto:${dice.pick(words)}.${dice.pick(words)}@example.org`,
  'minified code': (dice) => `function ${random(dice, 'letters', 2)}(e,t){return e.token=t,e.key=n(e),a[t.key]=r,{key:e.key,token:t}}`,
  'token of a parser': (dice) =>
    `{"token": {"value": "${dice.pick(['const', 'identifier', 'return', 'className'])}", "line": ${dice.below(99)}}}`,
  'schema of a field': () => '{"password": {"type": "string", "minLength": 8}, "apiKey": {"description": "Your key"}}',
  translation: () => '{"auth.password":"Passwort","auth.token.label":"Token","login.secret.hint":"Your secret token"}',
};
