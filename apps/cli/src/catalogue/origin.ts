import { type TreeFile, treeOf } from '@piton/hooks';

/** Where an added hook came from, and what exactly was taken. Kept beside it, so that a newer one can be looked for. */
export interface Origin {
  readonly kind: 'library' | 'folder' | 'git' | 'npm';
  /** As `hooks add` takes it. Of the library: the hook's name. */
  readonly source: string;
  /** Its folder there, where the source has several hooks. */
  readonly path: string;
  /** The commit that was read. */
  readonly commit?: string;
  /** The version of the package, and the checksum of its tarball as npm writes it. */
  readonly version?: string;
  readonly integrity?: string;
}

/** A hook of somebody else's, in memory: nothing of it has been written where it could run. */
export interface FetchedHook {
  readonly name: string;
  readonly origin: Origin;
  readonly files: readonly TreeFile[];
  /** Signatures on what it came in, beside its own. */
  readonly signed: readonly SignedText[];
}

/** A text with a signature on it, as git makes them. */
export interface SignedText {
  readonly of: 'hook' | 'commit' | 'tag';
  readonly namespace: typeof HOOK_NAMESPACE | 'git';
  readonly text: Buffer;
  readonly signature: string;
}

/** What a signature is for: one on a commit, or on a letter, is none on a hook. */
export const HOOK_NAMESPACE = 'piton-hook';
/** A hook's own signature, beside its ARTIFACT.md. */
export const SIGNATURE_FILE = 'ARTIFACT.md.sig';

/** What identifies a hook wherever it lies: all of its files but the signature on them. */
export const digestOf = (files: readonly TreeFile[]): string =>
  `sha256:${treeOf(files.filter(({ path }) => path !== SIGNATURE_FILE)).hash}`;

/** What is signed: a signed hook cannot be passed off as one of another name. */
export const signedTextOf = (name: string, files: readonly TreeFile[]): Buffer =>
  Buffer.from(`piton hook 1\nname ${name}\ndigest ${digestOf(files)}\n`);
