/**
 * What one root (the user's, a project's) asks of whoever runs without a server: `<home>/last-resort/<name>`, a file a root.
 * The forwarder reads it too, so it is no JSON. docs/protocol.md has the format.
 */
export interface LastResort {
  /** Null: the user's own. */
  readonly root: string | null;
  /** By registration, `<agent>.<native event>`: the bytes to print where the stand-in cannot run. Empty: it must be asked, and that is all. */
  readonly denies: ReadonlyMap<string, string>;
}

export const LAST_RESORT_FOLDER = 'last-resort';
export const LAST_RESORT_OF_USER = 'user';

const HEAD = 'piton last-resort 1\n';
const END = '.\n';

export const registrationName = (agent: string, nativeEvent: string): string => `${agent}.${nativeEvent}`;

export function lastResortText({ root, denies }: LastResort): string {
  const entries = [...denies].map(([name, deny]) => `${name} ${Buffer.byteLength(deny)}\n${deny}\n`);
  return `${HEAD}${JSON.stringify(root)}\n${entries.join('')}${END}`;
}

/** Undefined where it is broken, cut short or of another version: then nobody knows what it asks. */
export function readLastResort(bytes: Buffer): LastResort | undefined {
  if (bytes.toString('latin1', 0, HEAD.length) !== HEAD) return undefined;
  const denies = new Map<string, string>();
  let at = HEAD.length;
  const line = (): string | undefined => {
    const end = bytes.indexOf(0x0a, at);
    if (end < 0) return undefined;
    const text = bytes.toString('utf8', at, end);
    at = end + 1;
    return text;
  };
  const root = rootIn(line());
  if (root === undefined) return undefined;
  for (;;) {
    const entry = line();
    if (entry === '.') return at === bytes.length ? { root, denies } : undefined;
    const [, name, size] = /^(\S+) (\d{1,7})$/.exec(entry ?? '') ?? [];
    if (name === undefined) return undefined;
    const end = at + Number(size);
    if (bytes[end] !== 0x0a) return undefined;
    denies.set(name, bytes.toString('utf8', at, end));
    at = end + 1;
  }
}

function rootIn(text: string | undefined): string | null | undefined {
  try {
    const root: unknown = JSON.parse(text ?? '');
    return root === null || typeof root === 'string' ? root : undefined;
  } catch {
    return undefined;
  }
}
