import { delimiter } from 'node:path';
import { readRepositories } from '@piton/checkpoints/repositories';
import { configOf, placesOf } from '@piton/contracts/places';
import { notedPrograms, trustedPath } from '@piton/contracts/programs';
import { fatalMessage } from './process/fatal-message.ts';
import { startServer } from './server.ts';

declare const PITON_VERSION: string;

/** An agent that a desktop started has a shorter `PATH` than the person's shell. */
const USUAL_PLACES = ['/usr/local/bin', '/usr/bin', '/bin', '/opt/homebrew/bin'];

const at = process.argv.indexOf('--home');
const home = at > 0 ? process.argv[at + 1] : undefined;
function fail(why: string): never {
  process.stderr.write(fatalMessage(home, why));
  process.exit(1);
}
/** Node would print the error unredacted. */
process.on('uncaughtException', (error: Error) => fail(error.stack ?? String(error)));

/** The allocator has read its variables. Child processes must not inherit them. */
function forgetAllocator(): void {
  for (const name of Object.keys(process.env)) if (name.startsWith('MALLOC_')) delete process.env[name];
}

/** Subscriptions and module hosts run outside the agent's sandbox, with this `PATH`: nothing on it lies where an agent works. */
function ownPath(home: string, agentPath: string): string {
  const { toolTrees } = notedPrograms(home);
  const trusted = trustedPath(agentPath, { toolTrees, repositories: readRepositories(home) })
    .split(delimiter)
    .filter(Boolean);
  return [...new Set([...trusted, ...USUAL_PLACES])].join(delimiter);
}

async function main(): Promise<void> {
  const [major = 0, minor = 0] = process.versions.node.split('.').map(Number);
  if (major < 20 || (major === 20 && minor < 19)) fail(`Node ${process.versions.node} is too old: Piton needs 20.19`);
  if (home === undefined) fail('usage: server.cjs --home <directory>. Normally use: piton server start');
  forgetAllocator();
  process.umask(0o077);
  const agentPath = process.env['PATH'] ?? '';
  process.env['PATH'] = ownPath(home, agentPath);
  const started = await startServer({
    places: placesOf(home, configOf(home, process.env)),
    version: PITON_VERSION,
    program: __dirname,
    agentPath,
    ended: () => process.exit(0),
  });
  if (!started.ok) fail(started.error);
  process.on('SIGTERM', started.retire);
  process.on('SIGINT', started.retire);
}

main().catch((error: Error) => fail(error.stack ?? error.message));
