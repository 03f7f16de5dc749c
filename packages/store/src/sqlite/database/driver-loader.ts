import type { SqliteModule } from './driver.ts';

/** `node:sqlite` needs no flag from 22.13 on. Before that it lacks functions that the store uses. */
export const hasOwnSqlite = (version: string): boolean => {
  const [major = 0, minor = 0] = version.split('.').map(Number);
  return major > 22 || (major === 22 && minor >= 13);
};

/**
 * Node's SQLite, or the native module with the same API on Node 20.
 *
 * Both ways must work from ES modules under the tests and from the server's CommonJS bundle. So there is no
 * `createRequire(import.meta.url)`, since a CommonJS bundle has no `import.meta`; a bundler cannot see through
 * `getBuiltinModule`, which therefore stays unchanged; and a plain `import()` of the external package is kept by
 * esbuild, or turned into `require()`, and both find it next to the bundle.
 */
export async function loadSqlite(): Promise<SqliteModule> {
  if (hasOwnSqlite(process.versions.node)) {
    const builtin = quietly(() => process.getBuiltinModule('node:sqlite') as SqliteModule | undefined);
    if (builtin !== undefined) return builtin;
  }
  const loaded = (await import('@photostructure/sqlite')) as unknown as SqliteModule & { default?: SqliteModule };
  return loaded.DatabaseSync ? loaded : (loaded.default as SqliteModule);
}

/** Node announces its SQLite as experimental on stderr, which belongs to the agent or to the person at the terminal. */
function quietly<T>(work: () => T): T {
  const original = process.emitWarning;
  process.emitWarning = (() => {}) as typeof process.emitWarning;
  try {
    return work();
  } finally {
    process.emitWarning = original;
  }
}
