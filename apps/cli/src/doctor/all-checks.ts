import { Failure, reasonOf } from '../failure.ts';
import { agentsCheck } from './agent-checks.ts';
import { callersCheck } from './caller-checks.ts';
import { checkpointsCheck } from './checkpoint-checks.ts';
import type { Check, CheckInput, Finding } from './finding.ts';
import { hooksCheck, lastResortCheck } from './hook-checks.ts';
import { journalCheck } from './journal-checks.ts';
import { allowUnderAgentCheck, diskCheck, nodeCheck, privacyCheck, programsCheck } from './machine-checks.ts';
import { repositoriesCheck } from './repository-checks.ts';
import { runtimeCheck } from './runtime-checks.ts';
import { serverCheck } from './server-checks.ts';
import { settingsCheck } from './settings-checks.ts';
import { storeCheck } from './store-checks.ts';
import { teamCheck } from './team-checks.ts';

/** In order of dependency: a check comes after everything it relies on. */
const CHECKS: readonly (readonly [string, Check])[] = [
  ['disk', diskCheck],
  ['private directories', privacyCheck],
  ['Node', nodeCheck],
  ['programs', programsCheck],
  ['runtime', runtimeCheck],
  ['agents', agentsCheck],
  ['repositories', repositoriesCheck],
  ['checkpoints', checkpointsCheck],
  ['server', serverCheck],
  ['journal', journalCheck],
  ['store', storeCheck],
  ['callers', callersCheck],
  ['settings', settingsCheck],
  ['hooks', hooksCheck],
  ['required hooks', lastResortCheck],
  ['team', teamCheck],
  ['environment', allowUnderAgentCheck],
];

/** One after the other, each with what it found. */
export async function* runChecks(input: CheckInput): AsyncGenerator<{ readonly name: string; readonly findings: readonly Finding[] }> {
  for (const [name, check] of CHECKS) yield { name, findings: await runCheck(name, check, input) };
}

/** A check that fails is a finding too, and does not stop the others. */
async function runCheck(name: string, check: Check, input: CheckInput): Promise<readonly Finding[]> {
  try {
    return await check(input);
  } catch (error) {
    const failure = error instanceof Failure ? error : undefined;
    return [
      {
        id: 'doctor.check',
        kind: 'problem',
        what: `the check of ${name} failed: ${reasonOf(error)}`,
        ...(failure?.where && { where: failure.where }),
        remedy: failure?.remedy ?? 'report this as a bug',
      },
    ];
  }
}
