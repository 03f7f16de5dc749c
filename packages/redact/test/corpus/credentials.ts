import { randomText, type SeededRandom, uuid } from './random.ts';

/** A secret without a shape of its own, in the text that gives it away. */
export interface Given {
  readonly text: string;
  readonly secret: string;
}

const given = (secret: string, text: (secret: string) => string): Given => ({ secret, text: text(secret) });
const password = (random: SeededRandom): string => randomText(random, 'password', 10 + random.below(14));
const pem = (random: SeededRandom, kind: string, width = 64): string => {
  const lines = Array.from({ length: 12 }, () => randomText(random, 'base64', width));
  return [`-----BEGIN ${kind}PRIVATE${' KEY'}-----`, ...lines, `-----END ${kind}PRIVATE${' KEY'}-----`].join('\n');
};
const body = (block: string): string => block.split('\n').slice(3, 5).join('\n');

export const CREDENTIALS: Readonly<Record<string, readonly ((random: SeededRandom) => Given)[]>> = {
  'environment variable': [
    (random) =>
      given(
        password(random),
        (it) =>
          `cat .env\nNODE_ENV=production\n${random.pick(['DB_PASSWORD', 'SMTP_PASSWORD', 'ADMIN_PASS', 'APP_SECRET', 'SESSION_SECRET'])}=${it}\nPORT=3000`,
      ),
    (random) =>
      given(
        randomText(random, 'alnum', 32),
        (it) => `export ${random.pick(['API_KEY', 'ACCESS_TOKEN', 'SERVICE_TOKEN', 'SIGNING_KEY'])}=${it} && npm start`,
      ),
    (random) => given(randomText(random, 'lower', 12), (it) => `PGPASSWORD=${it} psql -h db.internal -U app -c 'select 1'`),
  ],
  'line of yaml': [
    (random) => given(randomText(random, 'alnum', 20), (it) => `database:\n  user: app\n  password: ${it}\n  port: 5432`),
    (random) => given(password(random), (it) => `auth:\n  client_id: web\n  client_secret: "${it}"`),
    (random) => given(randomText(random, 'base64', 24), (it) => `env:\n  - name: DB_PASSWORD\n    value: ${it}\n`),
  ],
  'field of json': [
    (random) => given(password(random), (it) => JSON.stringify({ user: 'app', password: it, port: 1 }, null, 2)),
    (random) => given(randomText(random, 'alnum', 40), (it) => `{"clientSecret":"${it}","clientId":"web"}`),
    (random) => given(randomText(random, 'alnum', 24), (it) => JSON.stringify({ env: [{ name: 'API_TOKEN', value: it }] })),
  ],
  'value inside an object': [
    (random) => given(password(random), (it) => JSON.stringify({ database: { password: { value: it, source: 'vault' } } })),
    (random) => given(randomText(random, 'alnum', 24), (it) => `{ "client_secret": {\n    "value": "${it}" } }`),
    (random) => given(randomText(random, 'alnum', 24), (it) => JSON.stringify({ body: JSON.stringify({ api_key: { value: it } }) })),
  ],
  'json inside json': [
    (random) => given(randomText(random, 'alnum', 20), (it) => JSON.stringify({ body: JSON.stringify({ password: it, a: 1 }) })),
    (random) =>
      given(randomText(random, 'alnum', 32), (it) => JSON.stringify({ log: JSON.stringify({ inner: JSON.stringify({ apiKey: it }) }) })),
    (random) => given(randomText(random, 'alnum', 36), (it) => JSON.stringify({ stdout: `first\n${`gh${'p_'}`}${it}\nlast` })),
  ],
  'assignment in code': [
    (random) => given(password(random), (it) => `const config = {\n  host: 'db',\n  password: '${it}',\n};`),
    (random) => given(randomText(random, 'alnum', 32), (it) => `api_key = "${it}"\nclient = Client(api_key)`),
    (random) => given(randomText(random, 'alnum', 28), (it) => `String secretKey = "${it}";`),
  ],
  'command option': [
    (random) => given(randomText(random, 'alnum', 16), (it) => `mytool login --user me --password ${it} --verbose`),
    (random) => given(randomText(random, 'alnum', 24), (it) => `deploy --api-key="${it}" --region eu`),
    (random) => given(randomText(random, 'alnum', 14), (it) => `curl -s -u admin:${it} https://example.org/api`),
    (random) => given(randomText(random, 'alnum', 14), (it) => `mysql -h db -u root -p${it} app < dump.sql`),
    (random) => given(randomText(random, 'alnum', 14), (it) => `sshpass -p '${it}' ssh host uptime`),
  ],
  'bearer credential': [
    (random) => given(randomText(random, 'word', 40), (it) => `curl -H "Authorization: Bearer ${it}" https://example.org/v1/items`),
    (random) => given(randomText(random, 'alnum', 32), (it) => `fetch(url, { headers: { Authorization: 'Bearer ${it}' } })`),
  ],
  'basic credential': [
    (random) =>
      given(
        Buffer.from(`app:${randomText(random, 'alnum', 12)}`).toString('base64'),
        (it) => `> GET /x HTTP/1.1\n> Authorization: Basic ${it}\n> Accept: */*`,
      ),
    (random) =>
      given(Buffer.from(`me:${randomText(random, 'alnum', 9)}`).toString('base64'), (it) =>
        JSON.stringify({ headers: { authorization: `Basic ${it}` } }),
      ),
  ],
  'other authorization': [
    (random) => given(randomText(random, 'hex', 40), (it) => `curl -H 'Authorization: token ${it}' https://example.org/user`),
  ],
  'api key header': [
    (random) => given(randomText(random, 'hex', 32), (it) => `curl -H "X-Api-Key: ${it}" https://example.org`),
    (random) => given(uuid(random), (it) => `x-auth-token: ${it}\naccept: application/json`),
  ],
  cookie: [
    (random) => given(randomText(random, 'alnum', 32), (it) => `curl -H 'Cookie: session=${it}; theme=dark' https://example.org`),
    (random) => given(randomText(random, 'word', 48), (it) => `< HTTP/2 200\n< set-cookie: sid=${it}; Path=/; HttpOnly\n< date: today`),
  ],
  'url password': [
    (random) => given(randomText(random, 'alnum', 18), (it) => `postgres://app:${it}@db.example.org:5432/app?sslmode=require`),
    (random) => given(randomText(random, 'alnum', 12), (it) => `git clone https://deploy:${it}@git.example.org/team/repo.git`),
    (random) => given(randomText(random, 'alnum', 20), (it) => `REDIS_URL=redis://:${it}@cache:6379/0`),
    (random) => given(randomText(random, 'alnum', 16), (it) => `mongodb+srv://svc:${it}@cluster0.example.net/prod`),
  ],
  'connection string': [
    (random) =>
      given(randomText(random, 'alnum', 16), (it) => `Server=tcp:db.example.net,1433;Database=app;User ID=sa;Password=${it};Encrypt=true`),
    (random) =>
      given(
        `${randomText(random, 'base64', 86)}==`,
        (it) => `DefaultEndpointsProtocol=https;AccountName=store;AccountKey=${it};EndpointSuffix=core.windows.net`,
      ),
    (random) =>
      given(
        `${randomText(random, 'base64', 43)}=`,
        (it) => `Endpoint=sb://bus.servicebus.windows.net/;SharedAccessKeyName=Root;SharedAccessKey=${it}`,
      ),
  ],
  'query parameter': [
    (random) => given(randomText(random, 'alnum', 32), (it) => `GET /v1/things?page=2&access_token=${it}&sort=asc 200`),
    (random) => given(randomText(random, 'alnum', 24), (it) => `https://example.org/login?next=%2F&api_key%3D${it}%26x`),
  ],
  'aws secret': [
    (random) =>
      given(
        randomText(random, 'base64', 40),
        (it) =>
          `[default]\naws_access_key_id = AK${'IA'}${randomText(random, 'upper', 16)}\naws_secret_access_key = ${it}\nregion = eu-west-1`,
      ),
    (random) =>
      given(randomText(random, 'base64', 40), (it) => `the pair is AK${'IA'}${randomText(random, 'upper', 16)} and ${it} for staging`),
    (random) => given(randomText(random, 'base64', 40), (it) => `AK${'IA'}${randomText(random, 'upper', 16)}\t${it}`),
  ],
  'rsa key': [(random) => ((block) => ({ text: `cat id_rsa\n${block}\n$`, secret: body(block) }))(pem(random, 'RSA '))],
  'openssh key': [(random) => ((block) => ({ text: block, secret: body(block) }))(pem(random, 'OPENSSH ', 70))],
  'escaped key': [
    (random) =>
      ((block) => ({
        text: JSON.stringify({ type: 'service_account', private_key: block }),
        secret: JSON.stringify(body(block)).slice(1, -1),
      }))(pem(random, '')),
    (random) =>
      ((block) => ({ text: JSON.stringify(JSON.stringify({ out: `x\n${block}` })), secret: block.split('\n')[4] as string }))(
        pem(random, 'EC '),
      ),
  ],
  'cut key': [
    (random) =>
      ((block) => ({ text: `head -5 key.pem\n${block.split('\n').slice(0, 5).join('\n')}`, secret: body(block) }))(pem(random, 'RSA ')),
  ],
  'wrapped token': [
    (random) => {
      const jwt = `ey${'J'}${randomText(random, 'word', 60)}.ey${'J'}${randomText(random, 'word', 120)}.${randomText(random, 'word', 43)}`;
      const lines = jwt.match(/.{1,76}/g) as string[];
      return { text: `the id:\n${lines.join('\n')}\nend`, secret: lines[1] as string };
    },
    (random) => {
      const key = `sk-${'ant-'}api03-${randomText(random, 'word', 93)}AA`;
      const lines = key.match(/.{1,64}/g) as string[];
      return { text: JSON.stringify({ out: `mail:\n${lines.join('\n')}\n` }), secret: lines[1] as string };
    },
  ],
  'random value': [
    (random) => given(randomText(random, 'alnum', 40), (it) => `{"id": 4, "key": "${it}"}`),
    (random) => given(randomText(random, 'base64', 44), (it) => `salt: "${it}"`),
    (random) => given(randomText(random, 'alnum', 36), (it) => `webhook = "${it}"`),
  ],
  webhook: [
    (random) =>
      given(
        randomText(random, 'alnum', 24),
        (it) =>
          `curl -d '{}' https://hooks.slack.com/services/T0${randomText(random, 'upper', 9)}/B0${randomText(random, 'upper', 9)}/${it}`,
      ),
    (random) => given(randomText(random, 'word', 68), (it) => `https://discord.com/api/webhooks/${randomText(random, 'digits', 18)}/${it}`),
  ],
  'element of xml': [
    (random) =>
      given(randomText(random, 'alnum', 18), (it) => `<server><id>central</id><username>me</username><password>${it}</password></server>`),
  ],
  'net rc': [(random) => given(randomText(random, 'alnum', 20), (it) => `machine api.example.org\n  login me\n  password ${it}\n`)],
};
