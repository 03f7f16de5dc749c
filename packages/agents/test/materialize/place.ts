import { spawnSync } from 'node:child_process';
import { chmodSync, mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import type { Agent, Materialized, MaterializedFile, MaterializePlace, Materializer, PortableHook } from '@piton/contracts';
import { onTestFinished } from 'vitest';

export const hookWith = (more: Partial<PortableHook> = {}): PortableHook => ({
  id: 'my-hook',
  name: 'my hook',
  version: '1.0.0',
  event: 'pre_shell_execution',
  matcher: '',
  fits: (tool) => (more.matcher ?? '').split('|').includes(tool),
  kinds: null,
  source: null,
  action: 'cat > /dev/null',
  timeoutMs: 30_000,
  failClosed: false,
  observe: false,
  injectOutput: undefined,
  native: false,
  confinement: null,
  ...more,
});

export function materializerOf({ materializer }: Agent): Materializer {
  if (materializer === null) throw new Error('nothing can be written for it');
  return materializer;
}

/** A project that is nothing but texts. */
export interface Texts extends MaterializePlace {
  readonly files: Map<string, string>;
  take(files: readonly MaterializedFile[]): void;
}
export function texts(files: Readonly<Record<string, string>> = {}, scope: 'user' | 'project' = 'project'): Texts {
  const all = new Map(Object.entries(files));
  return {
    scope,
    base: '/code/here',
    env: {},
    files: all,
    text: (path) => all.get(path) ?? null,
    take(written) {
      for (const { path, text } of written) text === null ? all.delete(path) : all.set(path, text);
    },
  };
}

/** Where hooks of an agent can be written: in a project, unless it has none there. */
export const scopeOf = ({ installer: { userOnly } }: Agent): 'user' | 'project' => (userOnly === undefined ? 'project' : 'user');

export function made(result: Materialized): Extract<Materialized, { ok: true }> {
  if (!result.ok) throw new Error(`${result.code}: ${result.why}`);
  return result;
}

/** The hook's files on a disk, and how to run its script as the agent would. */
export function writtenHook(agent: Agent, hook: PortableHook) {
  const base = realpathSync(mkdtempSync(join(tmpdir(), 'piton-mat-')));
  onTestFinished(() => rmSync(base, { recursive: true, force: true }));
  const { files, folder, nativeEvents } = made(materializerOf(agent).materialize(hook, { ...texts({}, scopeOf(agent)), base }));
  for (const { path, text, executable } of files) {
    mkdirSync(dirname(join(base, path)), { recursive: true });
    writeFileSync(join(base, path), text ?? '');
    if (executable) chmodSync(join(base, path), 0o755);
  }
  return {
    base,
    folder,
    nativeEvents,
    run(payload: unknown = {}, event = nativeEvents[0] ?? '', env: Readonly<Record<string, string>> = {}) {
      const { status, stdout, stderr } = spawnSync(join(base, folder, 'run.sh'), [event], {
        cwd: base,
        input: JSON.stringify(payload),
        encoding: 'utf8',
        env: { PATH: process.env.PATH, HOME: process.env.HOME, ...env },
      });
      return { code: status, stdout, stderr };
    },
  };
}
