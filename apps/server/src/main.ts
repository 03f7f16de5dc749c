import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { setFlagsFromString } from 'node:v8';
import { homeDirectories, placesOf } from '@piton/contracts/places';
import { fatalMessage } from './process/fatal-message.ts';
import { startServer } from './server.ts';

declare const PITON_VERSION: string;

/** `piton init` noted where people write their settings: from the home alone it cannot be told. */
function configOf(home: string): string {
  try {
    const { config } = JSON.parse(readFileSync(join(home, 'place.json'), 'utf8')) as { config?: string };
    if (config) return config;
  } catch {
    // not laid out by `piton init`: the platform's own place
  }
  const found = homeDirectories(process.env);
  return 'error' in found ? join(home, 'config') : found.config;
}

const at = process.argv.indexOf('--home');
const home = at > 0 ? process.argv[at + 1] : undefined;
function fail(why: string): never {
  process.stderr.write(fatalMessage(home, why));
  process.exit(1);
}
/** Node itself would print the error as it is. */
process.on('uncaughtException', (error: Error) => fail(error.stack ?? String(error)));

/**
 * What lives all day must not grow to what one burst once needed. V8 would let its heaps grow to four times what lives in
 * them before it looks. Not on the command line: a Node that no longer knows the flag would not start, here it complains.
 */
function beFrugal(): void {
  setFlagsFromString('--heap-growing-percent=50');
  // The allocator has read these; what this process starts has its own needs.
  for (const name of Object.keys(process.env)) if (name.startsWith('MALLOC_')) delete process.env[name];
}

async function main(): Promise<void> {
  const [major = 0, minor = 0] = process.versions.node.split('.').map(Number);
  if (major < 20 || (major === 20 && minor < 19)) fail(`Node ${process.versions.node} is too old: Piton needs 20.19`);
  if (home === undefined) fail('usage: server.cjs --home <directory>. Normally use: piton server start');
  beFrugal();
  process.umask(0o077);
  const started = await startServer({
    places: placesOf(home, configOf(home)),
    version: PITON_VERSION,
    program: __dirname,
    ended: () => process.exit(0),
  });
  if (!started.ok) fail(started.error);
  process.on('SIGTERM', started.retire);
  process.on('SIGINT', started.retire);
}

main().catch((error: Error) => fail(error.stack ?? error.message));
