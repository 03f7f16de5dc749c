import { join } from 'node:path';
import type { CanonicalEvent, Decision, NativeAnswer, Outcome, TraceEntry } from '@piton/contracts';
import type { HookDefinition } from '@piton/hooks';
import { type Occasion, type RehearsalPorts, rehearse } from '@piton/lifecycle';
import type { Context } from '../context.ts';
import { replacePlaceholders } from './payloads.ts';
import { REHEARSAL_CONTEXT } from './rehearsal-context.ts';
import { openModules, openRunner } from './runner.ts';
import { isInside, type WorkDirectory, writeEventFiles } from './work-directory.ts';

export type Ran = Extract<TraceEntry, { did: 'ran' }>;

/** One run of a hook on one payload. */
export interface Trial {
  readonly agent: string;
  readonly event: CanonicalEvent;
  readonly outcome: Outcome;
  readonly answer: NativeAnswer;
  /** Why it failed: the hook broke or could not run. Making no decision is no failure. */
  readonly failure: string | undefined;
  readonly runs: readonly Ran[];
}

/** Ports that run nothing: they only show what would run. */
const IDLE: RehearsalPorts = {
  ...REHEARSAL_CONTEXT,
  spawn: () => Promise.reject(new Error('hooks are not run here')),
  modules: { run: () => Promise.reject(new Error('hooks are not run here')) },
  sandbox: { confine: (argv) => ({ argv }), problem: () => undefined },
};

/** The event that a payload decodes to, and whether the hook would run on it. */
export function preview(occasion: Occasion, hook: HookDefinition): { event: CanonicalEvent; runs: boolean } {
  const { event, runs } = rehearse(occasion, [hook], IDLE);
  return { event, runs };
}

/** The same event as if it had happened in `work`: its directory, and every path below it, is replaced by `work`. */
export function movedTo(work: string, occasion: Occasion, hook: HookDefinition): Occasion {
  const { cwd } = preview(occasion, hook).event;
  const payload = cwd.length > 1 && !isInside(cwd, work) ? replacePlaceholders(occasion.payload, { [cwd]: work }) : occasion.payload;
  return { ...occasion, cwd: work, payload };
}

/** Runs hooks on payloads, one after the other. */
export interface Trials {
  run(hook: HookDefinition, occasion: Occasion): Promise<Trial>;
  close(): void;
}

/** A module stays loaded from one to the next, as in the server: what it keeps from call to call shows here too. */
export function openTrials(context: Context, work: WorkDirectory, signal?: AbortSignal): Trials {
  // Whatever directory the event names, a tested hook runs where it can do no harm.
  const cwdFor = (cwd: string): string => (work.temporary && !isInside(cwd, work.path) ? work.path : cwd);
  const where = { cwdFor, home: homeVariables(work) };
  const modules = openModules(context, where);
  return {
    async run(hook, occasion) {
      const { variables } = occasion;
      const runner = openRunner(context, { ...where, modules, ...(variables && { variables }), ...(signal && { signal }) });
      const rehearsal = rehearse(occasion, [hook], runner);
      if (work.temporary) writeEventFiles(rehearsal.event, work.path);
      const { outcome, answer } = await rehearsal.perform();
      const runs = outcome.trace.filter((entry) => entry.did === 'ran');
      return { agent: rehearsal.event.agent, event: rehearsal.event, outcome, answer, runs, failure: failureOf(outcome.trace) };
    },
    close: modules.close,
  };
}

/** Where programs write that are told nothing else. */
const HOME_VARIABLES = {
  XDG_STATE_HOME: '.local/state',
  XDG_DATA_HOME: '.local/share',
  XDG_CACHE_HOME: '.cache',
  XDG_CONFIG_HOME: '.config',
};

const homeVariables = ({ home }: WorkDirectory): Readonly<Record<string, string>> | undefined =>
  home === undefined
    ? undefined
    : { HOME: home, ...Object.fromEntries(Object.entries(HOME_VARIABLES).map(([name, path]) => [name, join(home, path)])) };

export function failureOf(trace: readonly TraceEntry[]): string | undefined {
  for (const entry of trace) {
    if (entry.did === 'ran' && entry.failed !== undefined) return entry.note ?? (entry.stderr.trim() || entry.failed);
    if (entry.did === 'skipped' && (entry.why === 'broken' || entry.why === 'not-executable')) return entry.note ?? entry.why;
  }
  return undefined;
}

/** The decision, including that of a hook that only observes: it has no effect, but is reported. */
export function trialDecision({ outcome, runs }: Pick<Trial, 'outcome' | 'runs'>): Decision['decision'] {
  const watched = runs.filter((run) => run.observed);
  return outcome.decision.decision === 'observe'
    ? (watched.find((run) => run.said.decision !== 'observe')?.said.decision ?? 'observe')
    : outcome.decision.decision;
}
