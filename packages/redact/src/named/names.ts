/** A name is telling by its last word, or last two: `DB_PASSWORD`, `clientSecret`, `x-api-key`; not `tokens`, not `key`. */
const LAST_WORDS: ReadonlySet<string> = new Set(
  'password passwd passphrase passcode pwd pw secret token apikey credential credentials authorization cookie'.split(' '),
);
const TOGETHER = [
  'password',
  'passwd',
  'passphrase',
  'secret',
  'token',
  'apikey',
  'cookie',
  'accesskey',
  'secretkey',
  'privatekey',
  'accountkey',
  'bindpw',
  'rootpw',
  'userpw',
];
const KINDS: Readonly<Record<string, string>> = {
  passwd: 'password',
  pwd: 'password',
  pw: 'password',
  bindpw: 'password',
  rootpw: 'password',
  userpw: 'password',
  passphrase: 'password',
  passcode: 'password',
  pass: 'password',
  apikey: 'key',
  accesskey: 'key',
  secretkey: 'key',
  privatekey: 'key',
  accountkey: 'key',
  credentials: 'credential',
};
const BEFORE_KEY: ReadonlySet<string> = new Set(
  'api access private secret encryption encrypt signing sign account master subscription storage shared auth deploy hmac aes admin webhook license ingest service'.split(
    ' ',
  ),
);
const BEFORE_PASS: ReadonlySet<string> = new Set(
  'db database user smtp mail email redis mysql mariadb mssql sql oracle mongo mongodb pg postgres root admin ftp sftp proxy login http auth sudo su become ssh ansible vault vnc rpc sasl ldap bind imap pop keystore truststore rabbitmq elastic wifi service account key cert ssl master replication'.split(
    ' ',
  ),
);
/** Cursors of listings and marks of tokenizers are called tokens too. */
const HARMLESS_TOKENS: ReadonlySet<string> = new Set(
  'page next prev previous continuation continue cursor sync stop start end pad eos bos unk sep mask cls special current last first per new max min line column keyword operator string identifier punctuator cancellation abort cancel'.split(
    ' ',
  ),
);
/** `secret_name`, `token_type` are no secrets by their last word; these are none by the word before. */
const HARMLESS_SECRETS: ReadonlySet<string> = new Set([
  'is',
  'has',
  'no',
  'use',
  'require',
  'show',
  'hide',
  'forgot',
  'reset',
  'kubernetes',
  'image',
  'pull',
]);
/** Of these a value is taken only if it looks random through and through. */
const WEAK: Readonly<Record<string, string>> = {
  key: 'key',
  auth: 'credential',
  sig: 'signature',
  signature: 'signature',
  salt: 'key',
  seed: 'key',
  pat: 'token',
  sas: 'token',
  bearer: 'bearer',
  jwt: 'jwt',
  session: 'cookie',
  sessionid: 'cookie',
  sid: 'cookie',
  webhook: 'key',
};

export interface SecretName {
  readonly kind: string;
  /** The name alone does not say it: the value must look random through and through. */
  readonly weak: boolean;
  /** As above, but a short value with letters and digits will do. */
  readonly likely?: true;
}

/** In `{"token": {"value": "…"}}` the value may as well be a word that a parser read. */
export const nested = (found: SecretName): SecretName => (found.kind === 'token' ? { ...found, weak: true } : found);

const MAYBE_SECRET_NAME =
  /pass|pwd|pw\d{0,2}$|secret|token|key|credential|authorization|cookie|auth$|sig$|signature$|salt$|seed$|pat$|sas$|bearer$|jwt$|session$|sid$|webhook$|sessionid$/i;
const known = new Map<string, SecretName | undefined>();

/** What a field of this name holds, or undefined. The same few names come again and again. */
export function secretName(name: string): SecretName | undefined {
  if (name.length < 3 || name.length > 128) return undefined;
  if (known.has(name)) return known.get(name);
  if (known.size > 5000) known.clear();
  const found = MAYBE_SECRET_NAME.test(name) ? judge(name) : undefined;
  known.set(name, found);
  return found;
}

function judge(name: string): SecretName | undefined {
  const words = name
    .replace(/([a-z0-9])([A-Z])/g, '$1_$2')
    .toLowerCase()
    .split(/[^a-z0-9]+/)
    .filter((word) => word !== '');
  const last = (words.at(-1) ?? '').replace(/\d{1,2}$/, '');
  const before = words.at(-2) ?? '';
  const strong = (kind: string): SecretName => ({ kind: KINDS[kind] ?? kind, weak: false });
  // `pwd` is also the working directory, `pass` also what a test did.
  if ((last === 'pwd' || last === 'pass') && words.length === 1) return { kind: 'password', weak: true, likely: true };
  if (last === 'token' && HARMLESS_TOKENS.has(before)) return undefined;
  if (HARMLESS_SECRETS.has(before)) return undefined;
  if (last === 'base' && before === 'key' && words.at(-3) === 'secret') return strong('key'); // of Rails
  if (last === 'key' && BEFORE_KEY.has(before)) return strong('key');
  if (last === 'signature' && (before === 'amz' || before === 'goog')) return strong('signature'); // of a signed URL
  if (last === 'pass' && BEFORE_PASS.has(before)) return strong('pass');
  // Written together, as in PGPASSWORD or authtoken, the word is the end of a longer one.
  const word = LAST_WORDS.has(last) ? last : TOGETHER.find((end) => last.endsWith(end));
  if (word !== undefined) return strong(word);
  if (last === 'pass') return { kind: 'password', weak: true, likely: true };
  const weak = WEAK[last];
  return weak === undefined ? undefined : { kind: weak, weak: true };
}
