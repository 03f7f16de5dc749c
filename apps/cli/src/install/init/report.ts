import type { RunVerdict } from '@piton/contracts';
import { withCommandName } from '../../command-name.ts';
import { type Context, printLine } from '../../context.ts';
import type { Replacement } from '../../server/replacement.ts';
import { versionJson } from '../../versions/version-report.ts';
import type { AgentPlan } from '../agent-plan.ts';
import { agentTitle } from '../agent-title.ts';
import { changeJson, changesOf, printDiffs, printSteps } from '../change.ts';
import { linkHint } from '../command-link.ts';
import { failedJson } from '../failed-agent.ts';
import type { InitPlan } from './plan.ts';
import { diffOf } from './steps.ts';

/** Whether the agent will run our hooks, which it may ask the user. */
export interface Ready {
  readonly agent: string;
  readonly verdict: RunVerdict;
  /** The file in which trust was written, after consent. */
  readonly trusted: string | null;
}

export type ReportPhase = 'plan' | 'dry-run' | 'done';

export function initJson(plan: InitPlan, dryRun: boolean, ready: readonly Ready[] = []): Record<string, unknown> {
  return {
    changed: plan.changes,
    dryRun,
    scope: plan.scope,
    runtime: { name: plan.runtime.name, before: plan.runtime.before ?? null, changed: plan.runtime.changes, node: plan.runtime.node },
    agents: plan.agents.map((agent) => agentJson(agent, plan, dryRun, ready)),
    failed: plan.failed.map(failedJson),
    leftOut: plan.leftOut.map(({ agent, why, remedy }) => ({ agent: agent.id, why, remedy })),
    changes: changesOf(plan.steps).map(changeJson),
    ...(plan.ignore && { ignoreFile: plan.ignore.file }),
    ...(plan.link && { link: plan.link.path }),
  };
}

function agentJson({ agent, places, edits, changes, added, removed }: AgentPlan, plan: InitPlan, dryRun: boolean, all: readonly Ready[]) {
  const ready = all.find((each) => each.agent === agent.id);
  return {
    agent: agent.id,
    proven: agent.provenVersion !== null,
    ...versionJson(agent, plan.versions.get(agent.id)),
    file: places[0].path,
    files: edits.map((edit) => ({ file: edit.place.path, changed: edit.changes, ...(dryRun && { diff: diffOf(edit) }) })),
    changed: changes,
    added: added.map((each) => each.nativeEvent),
    removed: removed.map((each) => each.nativeEvent),
    needed: plan.needs.get(agent.id) ?? [],
    ...(ready && { runs: verdictJson(ready.verdict), trusted: ready.trusted }),
  };
}

export function verdictJson(verdict: RunVerdict): Record<string, unknown> {
  if (verdict.runs) return { runs: true, ...(verdict.note !== undefined && { note: verdict.note }) };
  return { runs: false, why: verdict.why, remedy: verdict.remedy };
}

const HEADINGS: Record<ReportPhase, string> = {
  plan: 'Piton will change:',
  'dry-run': 'Piton would change (dry run):',
  done: 'Done:',
};

export function reportPlan(context: Context, plan: InitPlan, phase: ReportPhase, replacement: Replacement = 'none'): void {
  const { paint } = context;
  const names = plan.agents.map(({ agent }) => agentTitle(agent)).join(', ');
  if (!plan.changes) printLine(context, `Nothing to do: Piton is set up for ${names}.`);
  else {
    printLine(context, HEADINGS[phase]);
    printSteps(context, plan.steps, phase === 'done');
    const mark = paint('green', '✓');
    if (phase !== 'done') reportContext(context);
    if (replacement === 'replaced') printLine(context, `  ${mark} the server of the older runtime was replaced`);
    if (replacement === 'finishing') printLine(context, `  ${mark} the server of the older runtime stops when its current work is done`);
  }
  if (phase === 'done') return;
  for (const { why, remedy } of plan.leftOut)
    printLine(context, `  ${paint('dim', '-')} ${why}\n      ${withCommandName(context, remedy)}`);
  if (phase === 'dry-run') printDiffs(context, changesOf(plan.steps));
}

/** What is missing between "installed" and "will run", and how to fix it. */
export function reportReady(context: Context, plan: InitPlan, ready: readonly Ready[]): void {
  const { paint } = context;
  for (const { agent } of plan.agents) {
    const found = ready.find((each) => each.agent === agent.id);
    if (found?.trusted) printLine(context, `  ${paint('green', '✓')} ${agent.title}: trust for these hooks written to ${found.trusted}`);
    if (!found) continue;
    const { verdict } = found;
    if (verdict.runs) {
      if (verdict.note !== undefined) printLine(context, `  ${paint('dim', 'i')} ${agent.title}: ${verdict.note}`);
      continue;
    }
    printLine(context, `  ${paint('yellow', '!')} ${agent.title} will not run it yet: ${verdict.why}`);
    printLine(context, `      fix: ${remedyOf(context, agent.id, plan.scope, verdict)}`);
  }
}

/** What the user can do. If Piton can do it for them, how to agree to that. */
export function remedyOf(context: Context, agent: string, scope: string, verdict: Extract<RunVerdict, { runs: false }>): string {
  if (!verdict.consent) return withCommandName(context, verdict.remedy);
  return withCommandName(
    context,
    `${verdict.remedy}. Or run: piton init${scope === 'project' ? ' --project' : ''} --agent ${agent} --trust-hooks`,
  );
}

/** It is on by default, so it is announced. */
function reportContext(context: Context): void {
  printLine(
    context,
    withCommandName(
      context,
      '  New sessions are told what earlier ones left open here (at most 300 tokens). To switch it off: piton settings set context off',
    ),
  );
}

export function reportNext(context: Context, plan: InitPlan): void {
  for (const { why, remedy } of plan.leftOut)
    printLine(context, `  ${context.paint('dim', '-')} ${why}\n      ${withCommandName(context, remedy)}`);
  if (!plan.changes) return;
  if (plan.scope === 'project')
    printLine(
      context,
      `\nCommit ${plan.agents.flatMap(({ edits }) => edits.filter(({ text }) => text !== null).map(({ place }) => place.label)).join(', ')} to share it. It has no effect for people without Piton.`,
    );
  printLine(context, '');
  reportContext(context);
  const hint = linkHint(context, plan.place);
  if (hint.length > 0) printLine(context, `\n${hint.join('\n')}`);
  printLine(
    context,
    `\nNext: ${context.paint('bold', withCommandName(context, 'piton status'))} tests the setup. Restart running agents to pick it up.`,
  );
}
