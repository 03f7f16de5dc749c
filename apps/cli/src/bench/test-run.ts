import type { Agent } from '@piton/contracts';
import type { HookDefinition } from '@piton/hooks';
import type { Context } from '../context.ts';
import { differenceOf, type FiledCase, occasionOf } from './cases.ts';
import { fittingPayloads } from './fitting.ts';
import { openPayloads } from './payloads.ts';
import type { Tested } from './test-report.ts';
import { movedInto, tryOut } from './trial.ts';
import { makeWorkDirectory, type WorkDirectory, workHere } from './work-directory.ts';

export interface TestWish {
  readonly hook: HookDefinition;
  readonly agents: readonly Agent[];
  readonly cases: readonly FiledCase[];
  /** Without it only the cases are run. */
  readonly payloads: boolean;
  readonly every: boolean;
  readonly command?: string | undefined;
  readonly here: boolean;
  readonly signal: AbortSignal;
}

/** Runs a hook on all that was wished, one after the other; each is given over as soon as it is known. */
export async function runTest(context: Context, wish: TestWish, tell: (one: Tested) => void): Promise<void> {
  const work = wish.here ? workHere(context.cwd) : makeWorkDirectory(context);
  try {
    if (wish.payloads) await onPayloads(context, wish, work, tell);
    await onCases(context, wish, work, tell);
  } finally {
    work.remove();
  }
}

async function onPayloads(
  context: Context,
  { hook, agents, every, command, signal }: TestWish,
  work: WorkDirectory,
  tell: (one: Tested) => void,
): Promise<void> {
  const payloadsOf = openPayloads(context, work.path);
  for (const agent of agents) {
    const choice = fittingPayloads(agent, payloadsOf(agent), hook, { work: work.path, every, command });
    if ('none' in choice) tell({ of: 'none', agent: agent.id, why: choice.none });
    else
      for (const { payload, occasion } of choice.fits) {
        if (signal.aborted) return;
        tell({ of: 'payload', agent: agent.id, payload, trial: await tryOut(context, hook, occasion, work, signal) });
      }
  }
}

async function onCases(
  context: Context,
  { hook, cases, agents, signal }: TestWish,
  work: WorkDirectory,
  tell: (one: Tested) => void,
): Promise<void> {
  for (const filed of cases) {
    if (signal.aborted) return;
    if (!agents.some(({ id }) => id === filed.case.agent)) continue;
    const occasion = occasionOf(filed.case, work.path);
    const trial = await tryOut(context, hook, work.throwAway ? movedInto(work.path, occasion, hook) : occasion, work, signal);
    const difference = differenceOf(filed.case, trial.outcome.decision, hook, work.path);
    tell({ of: 'case', agent: filed.case.agent, filed, trial, difference });
  }
}
