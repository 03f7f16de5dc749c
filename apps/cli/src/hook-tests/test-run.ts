import type { Agent } from '@piton/contracts';
import type { HookDefinition } from '@piton/hooks';
import type { Context } from '../context.ts';
import { matchingPayloads } from './backtest/matching-payloads.ts';
import { type CaseFile, differenceOf, occasionOf } from './cases.ts';
import { choosePayload, type PayloadFile } from './payload-file.ts';
import { openPayloads } from './payloads.ts';
import type { Tested } from './test-report.ts';
import { movedTo, openTrials, type Trials } from './trial.ts';
import { currentWorkDirectory, makeWorkDirectory, type WorkDirectory } from './work-directory.ts';

export interface TestOptions {
  readonly hook: HookDefinition;
  readonly agents: readonly Agent[];
  readonly cases: readonly CaseFile[];
  /** False: run only the cases. */
  readonly payloads: boolean;
  readonly every: boolean;
  readonly command?: string | undefined;
  /** Run only this payload. */
  readonly file?: PayloadFile | undefined;
  readonly here: boolean;
  readonly signal: AbortSignal;
}

/** Runs a hook on payloads and cases, one after the other, and reports each result at once. */
export async function runTest(context: Context, options: TestOptions, report: (one: Tested) => void): Promise<void> {
  const work = options.here ? currentWorkDirectory(context.cwd) : makeWorkDirectory(context);
  const trials = openTrials(context, work, options.signal);
  try {
    if (options.file) await onFile(options.file, options, work, trials, report);
    else if (options.payloads) await onPayloads(context, options, work, trials, report);
    await onCases(options, work, trials, report);
  } finally {
    trials.close();
    work.remove();
  }
}

async function onPayloads(
  context: Context,
  { hook, agents, every, command, signal }: TestOptions,
  work: WorkDirectory,
  trials: Trials,
  report: (one: Tested) => void,
): Promise<void> {
  const payloadsOf = openPayloads(context, work.path);
  for (const agent of agents) {
    const choice = matchingPayloads(agent, payloadsOf(agent), hook, { work: work.path, every, command });
    if ('none' in choice) report({ of: 'none', agent: agent.id, why: choice.none });
    else
      for (const { payload, occasion } of choice.matching) {
        if (signal.aborted) return;
        report({ of: 'payload', agent: agent.id, payload, trial: await trials.run(hook, occasion) });
      }
  }
}

async function onFile(
  file: PayloadFile,
  { hook, agents }: TestOptions,
  work: WorkDirectory,
  trials: Trials,
  report: (one: Tested) => void,
): Promise<void> {
  const { agent, choice } = choosePayload(file, agents, hook, work);
  if ('none' in choice) return report({ of: 'none', agent: agent.id, why: choice.none });
  const [{ payload, occasion }] = choice.matching;
  report({ of: 'payload', agent: agent.id, payload, trial: await trials.run(hook, occasion) });
}

async function onCases(
  { hook, cases, agents, signal }: TestOptions,
  work: WorkDirectory,
  trials: Trials,
  report: (one: Tested) => void,
): Promise<void> {
  for (const filed of cases) {
    if (signal.aborted) return;
    if (!agents.some(({ id }) => id === filed.case.agent)) continue;
    const occasion = occasionOf(filed.case, work.path);
    const trial = await trials.run(hook, work.temporary ? movedTo(work.path, occasion, hook) : occasion);
    const difference = differenceOf(filed.case, trial.outcome.decision, hook, work.path);
    report({ of: 'case', agent: filed.case.agent, filed, trial, difference });
  }
}
