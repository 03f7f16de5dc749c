import { createPrivateKey, generateKeyPairSync, type KeyObject } from 'node:crypto';
import { existsSync, mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { shellWord } from '@piton/contracts';
import type { Places } from '@piton/contracts/places';
import { codeOf, Failure, reasonOf } from '../failure.ts';

/** What a machine knows of its team. */
export interface Membership {
  readonly version: 1;
  /** The address of the server, without a slash at its end. */
  readonly url: string;
  readonly tenant: { readonly id: string; readonly name: string };
  readonly machine: string;
  readonly joinedAt: string;
  /** Repositories that may be reported: a remote, a directory or a pattern. Empty: all. */
  readonly repositories: readonly string[];
  /** The person agreed that bodies leave, when the team wanted them. */
  readonly bodies: boolean;
  /** Since when: of what was recorded before they have not. */
  readonly bodiesSince?: string;
  /** A file of certificates that the person's shell names, and a process that the server starts would not know. */
  readonly certificates?: string;
}

export const teamDirectory = ({ home }: Pick<Places, 'home'>): string => join(home, 'team');
const memberFile = (places: Pick<Places, 'home'>): string => join(teamDirectory(places), 'membership.json');
export const keyFile = (places: Pick<Places, 'home'>): string => join(teamDirectory(places), 'key.pem');

/** What holds for every file that a machine of a team cannot do without, and that cannot be made anew here. */
const JOIN_AGAIN = 'run `piton team leave`, and join again with a new code';

/** Undefined if the machine is in no team. */
export function readMembership(places: Pick<Places, 'home'>): Membership | undefined {
  let text: string;
  try {
    text = readFileSync(memberFile(places), 'utf8');
  } catch (error) {
    // Without anything else of a team it is in none. A key alone was left by a join or a leave that was cut off.
    if (codeOf(error) === 'ENOENT' && !existsSync(keyFile(places))) return undefined;
    throw new Failure(`cannot read which team this machine is in: ${wordsOf(error)}`, {
      where: memberFile(places),
      remedy: remedyOf(error, memberFile(places)),
    });
  }
  const value = parse(text);
  if (value === undefined)
    throw new Failure(`cannot read which team this machine is in: ${text.trim() === '' ? 'the file is empty' : 'the file is damaged'}`, {
      where: memberFile(places),
      remedy: JOIN_AGAIN,
    });
  return value;
}

export const wordsOf = (error: unknown): string => (codeOf(error) === 'ENOENT' ? 'the file is missing' : reasonOf(error));
/** What a person has closed, they can open again, and lose nothing. */
const remedyOf = (error: unknown, file: string): string =>
  ['EACCES', 'EPERM'].includes(codeOf(error) ?? '') ? `chmod u+rw ${shellWord(file)}` : JOIN_AGAIN;

/** One that cannot be read is still one. */
export type MembershipFound = Membership | 'broken';

export function findMembership(places: Pick<Places, 'home'>): MembershipFound | undefined {
  try {
    return readMembership(places);
  } catch (error) {
    if (error instanceof Failure) return 'broken';
    throw error;
  }
}

/** All of it or nothing: a limit that was lost, such as `repositories`, would let more leave. */
function parse(text: string): Membership | undefined {
  try {
    const value = JSON.parse(text) as Membership;
    const { version, url, machine, tenant, joinedAt, repositories, bodies, bodiesSince, certificates = '' } = value;
    const isWhole =
      version === 1 &&
      [url, machine, tenant.id, tenant.name, joinedAt, certificates].every((each) => typeof each === 'string') &&
      Array.isArray(repositories) &&
      repositories.every((each) => typeof each === 'string') &&
      typeof bodies === 'boolean' &&
      (!bodies || (typeof bodiesSince === 'string' && !Number.isNaN(Date.parse(bodiesSince)))) &&
      URL.canParse(url);
    return isWhole ? value : undefined;
  } catch {
    return undefined;
  }
}

/** The key first: a membership without one could never speak for the machine. */
export function writeKey(places: Places, key: KeyObject): void {
  mkdirSync(teamDirectory(places), { recursive: true, mode: 0o700 });
  writePrivate(keyFile(places), key.export({ type: 'pkcs8', format: 'pem' }) as string);
}

export const writeMembership = (places: Places, membership: Membership): void =>
  writePrivate(memberFile(places), `${JSON.stringify(membership, null, 2)}\n`);

export function writePrivate(file: string, text: string | Uint8Array): void {
  writeFileSync(`${file}.new`, text, { mode: 0o600 });
  renameSync(`${file}.new`, file);
}

/** Everything that joining made. What was recorded on this machine stays. */
export function removeMembership(places: Pick<Places, 'home'>): void {
  try {
    rmSync(teamDirectory(places), { recursive: true, force: true });
  } catch (error) {
    const where = teamDirectory(places);
    throw new Failure(`cannot remove what joining made: ${reasonOf(error)}`, { where, remedy: `chmod -R u+rwX ${shellWord(where)}` });
  }
}

export function readKey(places: Pick<Places, 'home'>): KeyObject {
  let bytes: Buffer;
  try {
    bytes = readFileSync(keyFile(places));
  } catch (error) {
    throw noKey(wordsOf(error), keyFile(places), remedyOf(error, keyFile(places)));
  }
  try {
    const key = createPrivateKey(bytes);
    if (key.asymmetricKeyType === 'ed25519') return key;
  } catch {
    // Said below: what the parser says names nothing that a person could look for.
  }
  throw noKey(bytes.length === 0 ? 'the file is empty' : 'it is no Ed25519 key', keyFile(places), JOIN_AGAIN);
}

const noKey = (why: string, where: string, remedy: string): Failure =>
  new Failure(`cannot read the key of this machine: ${why}`, { where, remedy });

/** A key of this membership alone. The private half never leaves the machine. */
export const newKey = (): { readonly publicKey: string; readonly privateKey: KeyObject } => {
  const { publicKey, privateKey } = generateKeyPairSync('ed25519');
  return { publicKey: publicKey.export({ type: 'spki', format: 'der' }).toString('base64'), privateKey };
};
