import type { RawPath } from '../raw-path.ts';

export type SkipReason =
  | 'too-large'
  | 'total-too-large'
  | 'looks-secret'
  | 'inner-repository'
  | 'submodule-changes'
  | 'unreadable'
  | 'special'
  | 'filter-failed';

/** A file that is not in the checkpoint, and why: rewinding leaves it alone. */
export interface Skipped {
  readonly path: RawPath;
  readonly reason: SkipReason;
  readonly bytes: number;
}

export interface Limits {
  /** One untracked file. */
  readonly fileBytes: number;
  /** All files of one checkpoint that are not yet stored. */
  readonly totalBytes: number;
}

export const LIMITS: Limits = { fileBytes: 5 * 1024 * 1024, totalBytes: 100 * 1024 * 1024 };

const SECRET_NAMES = [
  /^\.env(\..+)?$/,
  /\.env$/,
  /^kubeconfig$/,
  /\.(pem|key|p12|pfx|jks|keystore|ppk|kdbx|asc|gpg)$/,
  /^id_(rsa|dsa|ecdsa|ed25519)$/,
  /^\.(netrc|npmrc|pypirc|pgpass|htpasswd|git-credentials)$/,
  /^(credentials|secrets?)(\.(json|ya?ml|toml|ini|txt))?$/,
  /^service[-_]account.*\.json$/,
];
const EXAMPLES = /^\.env\.(example|sample|template|dist|defaults?)$/;
const PRIVATE_KEY = Buffer.from('PRIVATE KEY-----');

/** By its name, or because it begins with a private key. Only asked of untracked files: what is tracked is in git already. */
export function looksSecret(path: RawPath, bytes: Buffer): boolean {
  const name = (path.split('/').pop() ?? '').toLowerCase();
  if (EXAMPLES.test(name)) return false;
  return SECRET_NAMES.some((pattern) => pattern.test(name)) || bytes.subarray(0, 4096).includes(PRIVATE_KEY);
}

/** How much of a file is searched for tokens: a checkpoint must not take long. */
const SEARCHED_BYTES = 256 * 1024;

/** As `looksSecret`, or because `holdsToken` finds one near its beginning. */
export const secretTest =
  (holdsToken: (text: string) => boolean) =>
  (path: RawPath, bytes: Buffer): boolean =>
    looksSecret(path, bytes) || holdsToken(bytes.subarray(0, SEARCHED_BYTES).toString('latin1'));
