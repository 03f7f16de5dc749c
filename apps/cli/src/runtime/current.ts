import { readFileSync, readlinkSync } from 'node:fs';
import { basename, join } from 'node:path';
import type { Places } from '@piton/contracts/places';

/** `<version>-<content hash>`. */
const RUNTIME = /^(\d.*)-[0-9a-f]{8}$/;

export const isRuntimeName = (name: string): boolean => RUNTIME.test(name);

/** The version in the name of a runtime. */
export const versionIn = (name: string): string => RUNTIME.exec(name)?.[1] ?? name;

/** The name of the runtime that registrations run. */
export function currentRuntime(places: Pick<Places, 'current'>): string | undefined {
  try {
    return basename(readlinkSync(places.current));
  } catch {
    return undefined;
  }
}

/** Names the sources of a build: a command sees by it whether agents run the same. */
export const BUILD_ID = 'build-id';

/** Undefined in a runtime of a Piton that had none. */
export function buildIdIn(distribution: string): string | undefined {
  try {
    return readFileSync(join(distribution, BUILD_ID), 'utf8').trim();
  } catch {
    return undefined;
  }
}
