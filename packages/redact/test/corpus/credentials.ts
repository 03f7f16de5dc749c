import { type Dice, random, uuid } from './dice.ts';

/** A secret without a shape of its own, in the text that gives it away. */
export interface Given {
  readonly text: string;
  readonly secret: string;
}

const given = (secret: string, text: (secret: string) => string): Given => ({ secret, text: text(secret) });
const password = (dice: Dice): string => random(dice, 'password', 10 + dice.below(14));
const pem = (dice: Dice, kind: string, width = 64): string => {
  const lines = Array.from({ length: 12 }, () => random(dice, 'base64', width));
  return [`-----BEGIN ${kind}PRIVATE${' KEY'}-----`, ...lines, `-----END ${kind}PRIVATE${' KEY'}-----`].join('\n');
};
const body = (block: string): string => block.split('\n').slice(3, 5).join('\n');

export const CREDENTIALS: Readonly<Record<string, readonly ((dice: Dice) => Given)[]>> = {
  'environment variable': [
    (dice) =>
      given(
        password(dice),
        (it) =>
          `cat .env\nNODE_ENV=production\n${dice.pick(['DB_PASSWORD', 'SMTP_PASSWORD', 'ADMIN_PASS', 'APP_SECRET', 'SESSION_SECRET'])}=${it}\nPORT=3000`,
      ),
    (dice) =>
      given(
        random(dice, 'alnum', 32),
        (it) => `export ${dice.pick(['API_KEY', 'ACCESS_TOKEN', 'SERVICE_TOKEN', 'SIGNING_KEY'])}=${it} && npm start`,
      ),
    (dice) => given(random(dice, 'lower', 12), (it) => `PGPASSWORD=${it} psql -h db.internal -U app -c 'select 1'`),
  ],
  'line of yaml': [
    (dice) => given(random(dice, 'alnum', 20), (it) => `database:\n  user: app\n  password: ${it}\n  port: 5432`),
    (dice) => given(password(dice), (it) => `auth:\n  client_id: web\n  client_secret: "${it}"`),
    (dice) => given(random(dice, 'base64', 24), (it) => `env:\n  - name: DB_PASSWORD\n    value: ${it}\n`),
  ],
  'field of json': [
    (dice) => given(password(dice), (it) => JSON.stringify({ user: 'app', password: it, port: 1 }, null, 2)),
    (dice) => given(random(dice, 'alnum', 40), (it) => `{"clientSecret":"${it}","clientId":"web"}`),
    (dice) => given(random(dice, 'alnum', 24), (it) => JSON.stringify({ env: [{ name: 'API_TOKEN', value: it }] })),
  ],
  'value inside an object': [
    (dice) => given(password(dice), (it) => JSON.stringify({ database: { password: { value: it, source: 'vault' } } })),
    (dice) => given(random(dice, 'alnum', 24), (it) => `{ "client_secret": {\n    "value": "${it}" } }`),
    (dice) => given(random(dice, 'alnum', 24), (it) => JSON.stringify({ body: JSON.stringify({ api_key: { value: it } }) })),
  ],
  'json inside json': [
    (dice) => given(random(dice, 'alnum', 20), (it) => JSON.stringify({ body: JSON.stringify({ password: it, a: 1 }) })),
    (dice) => given(random(dice, 'alnum', 32), (it) => JSON.stringify({ log: JSON.stringify({ inner: JSON.stringify({ apiKey: it }) }) })),
    (dice) => given(random(dice, 'alnum', 36), (it) => JSON.stringify({ stdout: `first\n${`gh${'p_'}`}${it}\nlast` })),
  ],
  'assignment in code': [
    (dice) => given(password(dice), (it) => `const config = {\n  host: 'db',\n  password: '${it}',\n};`),
    (dice) => given(random(dice, 'alnum', 32), (it) => `api_key = "${it}"\nclient = Client(api_key)`),
    (dice) => given(random(dice, 'alnum', 28), (it) => `String secretKey = "${it}";`),
  ],
  'command option': [
    (dice) => given(random(dice, 'alnum', 16), (it) => `mytool login --user me --password ${it} --verbose`),
    (dice) => given(random(dice, 'alnum', 24), (it) => `deploy --api-key="${it}" --region eu`),
    (dice) => given(random(dice, 'alnum', 14), (it) => `curl -s -u admin:${it} https://example.org/api`),
    (dice) => given(random(dice, 'alnum', 14), (it) => `mysql -h db -u root -p${it} app < dump.sql`),
    (dice) => given(random(dice, 'alnum', 14), (it) => `sshpass -p '${it}' ssh host uptime`),
  ],
  'bearer credential': [
    (dice) => given(random(dice, 'word', 40), (it) => `curl -H "Authorization: Bearer ${it}" https://example.org/v1/items`),
    (dice) => given(random(dice, 'alnum', 32), (it) => `fetch(url, { headers: { Authorization: 'Bearer ${it}' } })`),
  ],
  'basic credential': [
    (dice) =>
      given(
        Buffer.from(`app:${random(dice, 'alnum', 12)}`).toString('base64'),
        (it) => `> GET /x HTTP/1.1\n> Authorization: Basic ${it}\n> Accept: */*`,
      ),
    (dice) =>
      given(Buffer.from(`me:${random(dice, 'alnum', 9)}`).toString('base64'), (it) =>
        JSON.stringify({ headers: { authorization: `Basic ${it}` } }),
      ),
  ],
  'other authorization': [
    (dice) => given(random(dice, 'hex', 40), (it) => `curl -H 'Authorization: token ${it}' https://example.org/user`),
  ],
  'api key header': [
    (dice) => given(random(dice, 'hex', 32), (it) => `curl -H "X-Api-Key: ${it}" https://example.org`),
    (dice) => given(uuid(dice), (it) => `x-auth-token: ${it}\naccept: application/json`),
  ],
  cookie: [
    (dice) => given(random(dice, 'alnum', 32), (it) => `curl -H 'Cookie: session=${it}; theme=dark' https://example.org`),
    (dice) => given(random(dice, 'word', 48), (it) => `< HTTP/2 200\n< set-cookie: sid=${it}; Path=/; HttpOnly\n< date: today`),
  ],
  'url password': [
    (dice) => given(random(dice, 'alnum', 18), (it) => `postgres://app:${it}@db.example.org:5432/app?sslmode=require`),
    (dice) => given(random(dice, 'alnum', 12), (it) => `git clone https://deploy:${it}@git.example.org/team/repo.git`),
    (dice) => given(random(dice, 'alnum', 20), (it) => `REDIS_URL=redis://:${it}@cache:6379/0`),
    (dice) => given(random(dice, 'alnum', 16), (it) => `mongodb+srv://svc:${it}@cluster0.example.net/prod`),
  ],
  'connection string': [
    (dice) =>
      given(random(dice, 'alnum', 16), (it) => `Server=tcp:db.example.net,1433;Database=app;User ID=sa;Password=${it};Encrypt=true`),
    (dice) =>
      given(
        `${random(dice, 'base64', 86)}==`,
        (it) => `DefaultEndpointsProtocol=https;AccountName=store;AccountKey=${it};EndpointSuffix=core.windows.net`,
      ),
    (dice) =>
      given(
        `${random(dice, 'base64', 43)}=`,
        (it) => `Endpoint=sb://bus.servicebus.windows.net/;SharedAccessKeyName=Root;SharedAccessKey=${it}`,
      ),
  ],
  'query parameter': [
    (dice) => given(random(dice, 'alnum', 32), (it) => `GET /v1/things?page=2&access_token=${it}&sort=asc 200`),
    (dice) => given(random(dice, 'alnum', 24), (it) => `https://example.org/login?next=%2F&api_key%3D${it}%26x`),
  ],
  'aws secret': [
    (dice) =>
      given(
        random(dice, 'base64', 40),
        (it) => `[default]\naws_access_key_id = AK${'IA'}${random(dice, 'upper', 16)}\naws_secret_access_key = ${it}\nregion = eu-west-1`,
      ),
    (dice) => given(random(dice, 'base64', 40), (it) => `the pair is AK${'IA'}${random(dice, 'upper', 16)} and ${it} for staging`),
    (dice) => given(random(dice, 'base64', 40), (it) => `AK${'IA'}${random(dice, 'upper', 16)}\t${it}`),
  ],
  'rsa key': [(dice) => ((block) => ({ text: `cat id_rsa\n${block}\n$`, secret: body(block) }))(pem(dice, 'RSA '))],
  'openssh key': [(dice) => ((block) => ({ text: block, secret: body(block) }))(pem(dice, 'OPENSSH ', 70))],
  'escaped key': [
    (dice) =>
      ((block) => ({
        text: JSON.stringify({ type: 'service_account', private_key: block }),
        secret: JSON.stringify(body(block)).slice(1, -1),
      }))(pem(dice, '')),
    (dice) =>
      ((block) => ({ text: JSON.stringify(JSON.stringify({ out: `x\n${block}` })), secret: block.split('\n')[4] as string }))(
        pem(dice, 'EC '),
      ),
  ],
  'cut key': [
    (dice) =>
      ((block) => ({ text: `head -5 key.pem\n${block.split('\n').slice(0, 5).join('\n')}`, secret: body(block) }))(pem(dice, 'RSA ')),
  ],
  'wrapped token': [
    (dice) => {
      const jwt = `ey${'J'}${random(dice, 'word', 60)}.ey${'J'}${random(dice, 'word', 120)}.${random(dice, 'word', 43)}`;
      const lines = jwt.match(/.{1,76}/g) as string[];
      return { text: `the id:\n${lines.join('\n')}\nend`, secret: lines[1] as string };
    },
    (dice) => {
      const key = `sk-${'ant-'}api03-${random(dice, 'word', 93)}AA`;
      const lines = key.match(/.{1,64}/g) as string[];
      return { text: JSON.stringify({ out: `mail:\n${lines.join('\n')}\n` }), secret: lines[1] as string };
    },
  ],
  'random value': [
    (dice) => given(random(dice, 'alnum', 40), (it) => `{"id": 4, "key": "${it}"}`),
    (dice) => given(random(dice, 'base64', 44), (it) => `salt: "${it}"`),
    (dice) => given(random(dice, 'alnum', 36), (it) => `webhook = "${it}"`),
  ],
  webhook: [
    (dice) =>
      given(
        random(dice, 'alnum', 24),
        (it) => `curl -d '{}' https://hooks.slack.com/services/T0${random(dice, 'upper', 9)}/B0${random(dice, 'upper', 9)}/${it}`,
      ),
    (dice) => given(random(dice, 'word', 68), (it) => `https://discord.com/api/webhooks/${random(dice, 'digits', 18)}/${it}`),
  ],
  'element of xml': [
    (dice) =>
      given(random(dice, 'alnum', 18), (it) => `<server><id>central</id><username>me</username><password>${it}</password></server>`),
  ],
  'net rc': [(dice) => given(random(dice, 'alnum', 20), (it) => `machine api.example.org\n  login me\n  password ${it}\n`)],
};
