import { createPrivateKey, generateKeyPairSync, type KeyObject } from 'node:crypto';
import { mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
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
  /** The person agreed that bodies leave. */
  readonly bodies: boolean;
  /** A file of certificates that the person's shell names, and a process that the server starts would not know. */
  readonly certificates?: string;
}

export const teamDirectory = ({ home }: Pick<Places, 'home'>): string => join(home, 'team');
const memberFile = (places: Pick<Places, 'home'>): string => join(teamDirectory(places), 'membership.json');
const keyFile = (places: Pick<Places, 'home'>): string => join(teamDirectory(places), 'key.pem');

/** Undefined if the machine is in no team. */
export function readMembership(places: Pick<Places, 'home'>): Membership | undefined {
  let text: string;
  try {
    text = readFileSync(memberFile(places), 'utf8');
  } catch (error) {
    if (codeOf(error) === 'ENOENT') return undefined;
    throw new Failure(`cannot read which team this machine is in: ${reasonOf(error)}`, { where: memberFile(places) });
  }
  const value = parse(text);
  if (value === undefined)
    throw new Failure('cannot read which team this machine is in', {
      where: memberFile(places),
      remedy: 'run `piton team leave`, and join again with a new code',
    });
  return value;
}

function parse(text: string): Membership | undefined {
  try {
    const value = JSON.parse(text) as Membership;
    const isWhole =
      value.version === 1 && [value.url, value.machine, value.tenant.id, value.tenant.name].every((each) => typeof each === 'string');
    return isWhole && Array.isArray(value.repositories) ? value : undefined;
  } catch {
    return undefined;
  }
}

export function writeMembership(places: Places, membership: Membership, key: KeyObject): void {
  mkdirSync(teamDirectory(places), { recursive: true, mode: 0o700 });
  // The key first: a membership without one could never speak for the machine.
  writePrivate(keyFile(places), key.export({ type: 'pkcs8', format: 'pem' }) as string);
  writePrivate(memberFile(places), `${JSON.stringify(membership, null, 2)}\n`);
}

export function writePrivate(file: string, text: string | Uint8Array): void {
  writeFileSync(`${file}.new`, text, { mode: 0o600 });
  renameSync(`${file}.new`, file);
}

/** Everything that joining made. What was recorded on this machine stays. */
export const removeMembership = (places: Pick<Places, 'home'>): void => rmSync(teamDirectory(places), { recursive: true, force: true });

export function readKey(places: Pick<Places, 'home'>): KeyObject {
  try {
    return createPrivateKey(readFileSync(keyFile(places)));
  } catch (error) {
    throw new Failure(`cannot read the key of this machine: ${reasonOf(error)}`, {
      where: keyFile(places),
      remedy: 'run `piton team leave`, and join again with a new code',
    });
  }
}

/** A key of this membership alone. The private half never leaves the machine. */
export const newKey = (): { readonly publicKey: string; readonly privateKey: KeyObject } => {
  const { publicKey, privateKey } = generateKeyPairSync('ed25519');
  return { publicKey: publicKey.export({ type: 'spki', format: 'der' }).toString('base64'), privateKey };
};
