import { mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';

/** By agent, the version that `piton init` wrote its registrations for. Null: nothing told it. */
export type RegisteredVersions = Readonly<Record<string, string | null>>;

export interface SeenVersion {
  readonly version: string;
  /** Of the program that was asked for it: it is not asked again while this stays. */
  readonly identity?: string;
  /** The update to this version was said to a person. */
  readonly said?: true;
}
/** By agent, the version that its events came from last. */
export type SeenVersions = Readonly<Record<string, SeenVersion>>;

const fileOf = (home: string, name: string): string => join(home, 'agent-versions', `${name}.json`);

export const registeredVersions = (home: string): RegisteredVersions => read(fileOf(home, 'registered')) as RegisteredVersions;
export const seenVersions = (home: string): SeenVersions => read(fileOf(home, 'seen')) as SeenVersions;

/** Written by `piton init`. */
export function noteRegistered(home: string, versions: RegisteredVersions): void {
  write(fileOf(home, 'registered'), { ...registeredVersions(home), ...versions });
}

/** Written by the server. */
export function noteSeen(home: string, agent: string, seen: SeenVersion): void {
  write(fileOf(home, 'seen'), { ...seenVersions(home), [agent]: seen });
}

function read(file: string): Readonly<Record<string, unknown>> {
  try {
    const value: unknown = JSON.parse(readFileSync(file, 'utf8'));
    return typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : {};
  } catch {
    return {}; // nothing noted yet
  }
}

function write(file: string, value: object): void {
  const text = `${JSON.stringify(value)}\n`;
  if (`${JSON.stringify(read(file))}\n` === text) return;
  mkdirSync(dirname(file), { recursive: true, mode: 0o700 });
  writeFileSync(`${file}.new`, text, { mode: 0o600 });
  renameSync(`${file}.new`, file);
}
