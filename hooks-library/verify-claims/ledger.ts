import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import type { Fact } from './contradictions.ts';

export interface Ledger {
  readonly startedUs: number;
  /** Oldest first. */
  readonly facts: readonly Fact[];
}

/**
 * The ledger of a session, from the command of the Piton that runs this module. Undefined where there is none, or it does not know
 * the session: then nothing is claimed to be wrong.
 */
export function readLedger(session: string, signal: AbortSignal): Promise<Ledger | undefined> {
  const host = process.argv[1] ?? '';
  const command = join(dirname(host), 'cli.mjs');
  // An id that looks like an option is none.
  if (!existsSync(command) || session === '' || session.startsWith('-')) return Promise.resolve(undefined);
  const options = { signal, env: { ...process.env, ...homeOf(dirname(host)) }, maxBuffer: 16 * 1024 * 1024 };
  return new Promise((resolve) => {
    execFile(process.execPath, [command, 'sessions', 'ledger', session, '--json'], options, (error, stdout) =>
      resolve(error ? undefined : parse(stdout)),
    );
  });
}

function parse(text: string): Ledger | undefined {
  try {
    const { session, ledger } = JSON.parse(text) as { session: { startedUs: number }; ledger: Fact[] };
    return { startedUs: session.startedUs, facts: ledger.toReversed() };
  } catch {
    return undefined;
  }
}

/** A host starts in a clean environment. The home is where the runtime lies. */
function homeOf(distribution: string): Record<string, string> {
  const home = dirname(dirname(distribution));
  if (basename(dirname(distribution)) !== 'runtime') return {};
  return basename(home) === 'state' ? { PITON_HOME: dirname(home) } : { XDG_STATE_HOME: dirname(home) };
}
