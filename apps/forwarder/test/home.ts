import { execFileSync } from 'node:child_process';
import {
  chmodSync,
  copyFileSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  realpathSync,
  renameSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join, resolve } from 'node:path';
import { type FrameResult, readFrameFile } from '@piton/contracts';
import { type Places, placesOf } from '@piton/contracts/places';
import { buildForwarder } from '../../../scripts/forwarder.mjs';
import { zigHere } from '../../../scripts/zig.mjs';

const SANITIZED = { build: 'the sanitized build', binary: (): string => buildForwarder({ sanitize: true }) };
/** As it is shipped, where that is asked for: zig is some 400 MB, and no clone needs it. */
const RELEASED = {
  build: 'the release build',
  binary: (): string => buildForwarder({ release: true, out: 'dist/forwarder/release/piton-forward' }),
};
const ORDINARY = { build: 'the ordinary build', binary: (): string => buildForwarder() };
const EMULATOR = '/usr/bin/qemu-aarch64-static';

/** Why the build for arm64 cannot run here, or null. */
export const notEmulated = !existsSync(EMULATOR)
  ? `${EMULATOR} is not here, install qemu-user-static`
  : zigHere() === undefined
    ? 'zig is not here, run node scripts/zig.mjs'
    : null;
export const EMULATED = { build: 'the arm64 build, emulated', binary: buildEmulated };

/** Every test of the C program runs against each. */
export const BINARIES = [
  process.env.PITON_TEST_RELEASE ? RELEASED : ORDINARY,
  SANITIZED,
  ...(notEmulated === null ? [EMULATED] : []),
] as const;

/** What is shipped for arm64, with a program of this processor before it that starts it under qemu's emulator. */
function buildEmulated(): string {
  const [out, target] = ['dist/forwarder/emulated/piton-forward', 'aarch64-linux-musl'];
  buildForwarder({ release: true, target, out: `${out}.emulated` });
  const source = join(import.meta.dirname, 'emulated.c');
  const aside = `${out}.${process.pid}`; // files of tests run side by side
  execFileSync('cc', ['-O1', '-static', `-DEMULATOR="${EMULATOR}"`, '-o', aside, source]);
  renameSync(aside, out);
  return resolve(out);
}

/** With the one behind it, if it only starts another. */
export function copyProgram(binary: string, to: string): void {
  copyFileSync(binary, to);
  chmodSync(to, 0o755);
  if (existsSync(`${binary}.emulated`)) copyFileSync(`${binary}.emulated`, `${to}.emulated`);
}

export interface ForwarderHome {
  readonly root: string;
  readonly places: Places;
  /** As an agent's configuration names it: through `current`. */
  readonly forwarder: string;
  /** The forwarders' own files in the journal. */
  frames(): FrameResult[];
  /** Everything in the journal, temporary files included. */
  journalNames(): string[];
  /** What `runtime/current/node` points to: a script with this body, or any path. */
  setNode(shell: string): string;
  setNodePath(path: string): void;
  setRuntimeFile(name: string, text: string): void;
  /** The file of one root, as it is; without one of the user's nobody has said what must hold. */
  setLastResort(name: string, text: Buffer | null): void;
  /** In the user's file: this registration alone, with the bytes to print. */
  setDeny(registration: string, deny: Buffer): void;
  setBackoff(untilMs: number): void;
  remove(): void;
}

/** By hand, as docs/protocol.md has it: the deny may be any bytes. */
export function lastResort(entries: Readonly<Record<string, Buffer>>): Buffer {
  const parts = Object.entries(entries).flatMap(([name, deny]) => [Buffer.from(`${name} ${deny.length}\n`), deny, Buffer.from('\n')]);
  return Buffer.concat([Buffer.from('piton last-resort 1\nnull\n'), ...parts, Buffer.from('.\n')]);
}

export function createForwarderHome(binary: string): ForwarderHome {
  const root = realpathSync(mkdtempSync(join(tmpdir(), 'piton-forwarder-')));
  const runtime = join(root, 'state', 'runtime', '0.1.0');
  mkdirSync(runtime, { recursive: true });
  copyProgram(binary, join(runtime, 'piton-forward'));
  symlinkSync('0.1.0', join(root, 'state', 'runtime', 'current'));
  const places = placesOf(join(root, 'state'), join(root, 'config'));
  const write = (path: string, data: string | Buffer): void => {
    mkdirSync(dirname(path), { recursive: true, mode: 0o700 });
    writeFileSync(path, data);
  };
  const journalNames = (): string[] => (existsSync(places.journal) ? readdirSync(places.journal).sort() : []);
  const setNodePath = (path: string): void => write(join(runtime, 'node'), `${path}\n`);
  // Nothing but a test's own fake may ever be started as a server.
  setNodePath('/nonexistent/node');
  const setLastResort = (name: string, text: Buffer | null): void => {
    const path = join(places.home, 'last-resort', name);
    if (text === null) rmSync(path);
    else write(path, text);
  };
  setLastResort('user', lastResort({}));
  return {
    root,
    places,
    forwarder: places.forwarder,
    journalNames,
    frames: () =>
      journalNames()
        .filter((name) => name.endsWith('.frame'))
        .map((name) => readFrameFile(readFileSync(join(places.journal, name)))),
    setNode(shell) {
      const path = join(root, 'fake-node');
      write(path, `#!/bin/sh\n${shell}\n`);
      chmodSync(path, 0o755);
      setNodePath(path);
      return path;
    },
    setNodePath,
    setRuntimeFile: (name, text) => write(join(runtime, name), text),
    setLastResort,
    setDeny: (registration, deny) => setLastResort('user', lastResort({ [registration]: deny })),
    setBackoff: (untilMs) => write(join(places.environment, 'backoff'), `${untilMs} 3 it crashed\n`),
    remove() {
      rmSync(root, { recursive: true, force: true, maxRetries: 10 }); // what was killed may be writing still
      rmSync(places.sockets, { recursive: true, force: true });
    },
  };
}
