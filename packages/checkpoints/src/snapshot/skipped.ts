import type { RawPath } from '../raw-path.ts';

export type SkipReason =
  | 'too-large'
  | 'total-too-large'
  | 'looks-secret'
  | 'inner-repository'
  | 'submodule-changes'
  | 'unreadable'
  | 'special'
  | 'filter-failed'
  /** A folder: of the untracked files in it the checkpoint has none, but for those that a call named. */
  | 'too-many';

/** A file that is not in the checkpoint, and why: rewinding leaves it alone. */
export interface Skipped {
  readonly path: RawPath;
  readonly reason: SkipReason;
  readonly bytes: number;
  /** Of a folder: how many. */
  readonly files?: number;
}

/** As a folder: files at the top of the working tree, and all that nothing else names. */
export const WHOLE_TREE: RawPath = '.';

/** Whether a file lies in a folder that was left out. What the checkpoint has of it all the same, it has. */
export function inLeftOutFolder(skipped: readonly Skipped[]): (path: RawPath) => boolean {
  const folders = skipped.filter(({ reason }) => reason === 'too-many').map(({ path }) => path);
  if (folders.length === 0) return () => false;
  return (path) => folders.some((folder) => folder === WHOLE_TREE || path.startsWith(`${folder}/`));
}

/** Whether the same files and folders were left out. What has the same tree otherwise tells nothing of the others. */
export function sameLeftOut(a: readonly Skipped[], b: readonly Skipped[]): boolean {
  const paths = new Set(a.map(({ path }) => path));
  return a.length === b.length && b.every(({ path }) => paths.has(path));
}

/** Of more files than this only the number is told. */
const MOST_NAMED = 1000;

/** A list that can be kept with each image: past some length it says how many more there are. */
export function shortList(skipped: readonly Skipped[]): readonly Skipped[] {
  if (skipped.length <= MOST_NAMED) return skipped;
  const folders = skipped.filter(({ reason }) => reason === 'too-many');
  const named = [...folders, ...skipped.filter(({ reason }) => reason !== 'too-many')];
  return [...named.slice(0, MOST_NAMED), { path: WHOLE_TREE, reason: 'too-many', bytes: 0, files: named.length - MOST_NAMED }];
}

export interface Limits {
  /** One untracked file. */
  readonly fileBytes: number;
  /** All files of one checkpoint that are not yet stored. */
  readonly totalBytes: number;
  /** Untracked files in all: each costs a look before every call. */
  readonly untrackedFiles: number;
}

export const LIMITS: Limits = { fileBytes: 5 * 1024 * 1024, totalBytes: 100 * 1024 * 1024, untrackedFiles: 10_000 };

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
