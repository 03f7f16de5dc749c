import { spawnSync } from 'node:child_process';
import {
  chmodSync,
  copyFileSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  realpathSync,
  renameSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { dirname, join } from 'node:path';
import type { Places } from '@piton/contracts/places';
import { codeOf } from '../failure.ts';
import { currentRuntime, isRuntimeName } from './current.ts';
import { contentHash, type Part } from './parts.ts';

/** Writes the compiled code of the command. */
const COMPILER = 'compile.cjs';
const COMPILE_MS = 60_000;

export interface RuntimePlan {
  /** `<version>-<content hash>`. */
  readonly name: string;
  readonly parts: readonly Part[];
  /** The version that `current` points to. */
  readonly before: string | undefined;
  readonly node: string;
  readonly changes: boolean;
}

export function planRuntime(places: Places | undefined, parts: readonly Part[], version: string): RuntimePlan {
  const name = `${version}-${contentHash(parts)}`;
  const node = realpathSync(process.execPath);
  const before = places && currentRuntime(places);
  const complete =
    places !== undefined &&
    before === name &&
    missingParts(join(places.runtime, name), parts).length === 0 &&
    recordedNode(places) === node;
  return { name, parts, before, node, changes: !complete };
}

/** The Node that the forwarder starts the server with. */
export function recordedNode(places: Places): string | undefined {
  try {
    return readFileSync(join(places.current, 'node'), 'utf8').trim() || undefined;
  } catch {
    return undefined;
  }
}

/** Parts that are missing or incomplete. */
export function missingParts(directory: string, parts: readonly Part[]): string[] {
  const isMissing = (part: Part): boolean => statSync(join(directory, part.to), { throwIfNoEntry: false })?.size !== sizeOf(part);
  return parts.filter((part) => !part.compiled && isMissing(part)).map(({ to }) => to);
}

const sizeOf = ({ from }: Part): number => (typeof from === 'string' ? statSync(from).size : Buffer.byteLength(from.text));

/** Copies to a temporary folder, renames it, then switches `current`: there is never half a runtime. */
export function installRuntime(places: Places, plan: RuntimePlan): void {
  mkdirSync(places.runtime, { recursive: true, mode: 0o700 });
  const final = join(places.runtime, plan.name);
  if (missingParts(final, plan.parts).length > 0) {
    const temporary = join(places.runtime, `.new-${process.pid}`);
    rmSync(temporary, { recursive: true, force: true });
    for (const part of plan.parts) copyPart(part, join(temporary, part.to));
    if (!plan.parts.some(({ compiled }) => compiled)) compile(temporary, plan.node);
    writeNode(temporary, plan.node);
    moveInto(temporary, final, plan.parts);
  }
  writeNode(final, plan.node);
  if (plan.before !== plan.name) switchCurrent(places, plan.name);
  removeOldVersions(places, new Set([plan.name, plan.before]));
}

function copyPart(part: Part, to: string): void {
  mkdirSync(dirname(to), { recursive: true, mode: 0o700 });
  if (typeof part.from === 'string') copyFileSync(part.from, to);
  else writeFileSync(to, part.from.text);
  chmodSync(to, part.executable ? 0o700 : 0o600);
}

/** Every command starts faster by it. The server keeps its own code. If it fails, everything only starts more slowly. */
function compile(directory: string, node: string): void {
  spawnSync(node, [join(directory, COMPILER)], { env: {}, stdio: 'ignore', timeout: COMPILE_MS });
}

function writeNode(directory: string, node: string): void {
  const temporary = join(directory, `.node-${process.pid}`);
  writeFileSync(temporary, `${node}\n`, { mode: 0o600 });
  renameSync(temporary, join(directory, 'node'));
}

function moveInto(temporary: string, final: string, parts: readonly Part[]): void {
  try {
    renameSync(temporary, final);
  } catch (error) {
    if (codeOf(error) !== 'ENOTEMPTY' && codeOf(error) !== 'EEXIST') throw error;
    // Another `init` was faster, or the existing folder is broken.
    if (missingParts(final, parts).length === 0) return rmSync(temporary, { recursive: true, force: true });
    rmSync(final, { recursive: true, force: true });
    renameSync(temporary, final);
  }
}

function switchCurrent(places: Places, name: string): void {
  const temporary = join(places.runtime, `.current-${process.pid}`);
  rmSync(temporary, { force: true });
  symlinkSync(name, temporary);
  renameSync(temporary, places.current);
}

/** An `init` that was killed leaves what it had begun. None takes this long. */
const LEFT_MS = 600_000;

/** Keeps the previous version, which a server may still run, and removes older ones, and what is left of an `init`. */
function removeOldVersions(places: Places, keep: ReadonlySet<string | undefined>): void {
  for (const entry of readdirSync(places.runtime)) {
    const path = join(places.runtime, entry);
    const isOld = isRuntimeName(entry) && !keep.has(entry);
    const isLeft =
      /^\.(?:new|current)-\d+$/.test(entry) && Date.now() - (lstatSync(path, { throwIfNoEntry: false })?.mtimeMs ?? 0) > LEFT_MS;
    if (isOld || isLeft) rmSync(path, { recursive: true, force: true });
  }
}
