import { relative } from 'node:path';
import { type Context, printLine } from '../context.ts';
import { agentTitle } from '../install/agent-title.ts';
import { type Change, changeJson, fileChange, printDiff } from '../install/change.ts';
import { fitLines } from '../output/fit.ts';
import { table } from '../output/table.ts';
import { printable } from '../output/text.ts';
import { unifiedDiff } from '../output/unified-diff.ts';
import type { FilePlan, Outcome } from './plan.ts';

export type ReportPhase = 'plan' | 'dry-run' | 'done';

/** What happened, or will happen, to a hook in an agent. */
function statusOf({ refused, files }: Outcome, removing: boolean): string {
  if (refused) return 'refused';
  if (files.length === 0) return removing ? 'not there' : 'unchanged';
  return removing ? 'removed' : 'written';
}

export function materializeJson(outcomes: readonly Outcome[], removing: boolean, dryRun: boolean): Record<string, unknown> {
  return {
    dryRun,
    ok: outcomes.every(({ refused }) => refused === undefined),
    hooks: outcomes.map((outcome) => ({
      hook: outcome.artifact,
      agent: outcome.agent.id,
      proven: outcome.agent.provenVersion !== null,
      status: statusOf(outcome, removing),
      ...(outcome.refused && { code: outcome.refused.code, why: outcome.refused.why }),
      nativeEvents: outcome.nativeEvents,
      folder: outcome.folder,
      files: outcome.files.map(({ path, after }) => ({ file: path, removed: after === null })),
      losses: outcome.losses,
      activation: outcome.activation,
    })),
    changes: filesOf(outcomes).map((file) => changeJson(materializeChange(file))),
    ...(dryRun && { diff: diffOf(outcomes) }),
  };
}

const HEADINGS: Readonly<Record<ReportPhase, string | undefined>> = {
  plan: 'Piton will change:',
  'dry-run': 'Piton would change (dry run):',
  done: undefined,
};

export function report(context: Context, outcomes: readonly Outcome[], removing: boolean, phase: ReportPhase): void {
  const { paint } = context;
  const heading = HEADINGS[phase];
  if (heading !== undefined) printLine(context, heading);
  context.out(
    table(context, outcomes, [
      { title: 'HOOK', value: ({ artifact }) => artifact },
      { title: 'AGENT', value: ({ agent }) => agentTitle(agent) },
      {
        title: 'STATUS',
        value: (outcome) => statusOf(outcome, removing),
        colour: ({ refused, files }) => (refused ? 'red' : files.length > 0 ? 'green' : 'dim'),
      },
      { title: 'EVENTS', value: ({ nativeEvents, refused }) => (refused ? refused.code : nativeEvents.join(', ')), flexible: true },
      { title: 'FOLDER', value: ({ folder }) => (folder === null ? '' : shortened(context, folder)), flexible: true, narrow: 'left-out' },
    ]),
  );
  for (const line of refusalLines(outcomes)) context.err(`\n${fitLines(`${paint('red', '✗')} ${line}`, context.width)}\n`);
  reportLosses(context, outcomes);
  if (phase !== 'plan' && !removing) reportActivation(context, outcomes);
  if (phase === 'dry-run') printDiff(context, diffOf(outcomes));
}

/** A refusal that several agents share is printed once. */
function refusalLines(outcomes: readonly Outcome[]): string[] {
  const agents = new Map<string, string[]>();
  for (const { artifact, agent, refused } of outcomes) {
    if (!refused) continue;
    const key = JSON.stringify([artifact, refused.code, refused.why]);
    agents.set(key, [...(agents.get(key) ?? []), agentTitle(agent)]);
  }
  return [...agents].map(([key, titles]) => {
    const [artifact, code, why] = JSON.parse(key) as [string, string, string];
    return `${printable(artifact)} in ${titles.join(', ')}: ${code}: ${printable(why)}`;
  });
}

/** A loss that several agents share is printed once. */
function reportLosses(context: Context, outcomes: readonly Outcome[]): void {
  for (const artifact of new Set(outcomes.filter(({ losses }) => losses.length > 0).map((outcome) => outcome.artifact))) {
    printLine(context, `\n${context.paint('yellow', '!')} ${printable(artifact)}, differences from running under Piton:`);
    const agents = new Map<string, string[]>();
    for (const { agent, losses } of outcomes.filter((outcome) => outcome.artifact === artifact))
      for (const { field, what } of losses) {
        const line = `${field}: ${printable(what)}`;
        agents.set(line, [...(agents.get(line) ?? []), agent.id]);
      }
    const all = outcomes.filter((outcome) => outcome.artifact === artifact && !outcome.refused).length;
    for (const [line, ids] of agents) printLine(context, `    ${line}${ids.length === all ? '' : ` (${ids.join(', ')})`}`);
  }
}

function reportActivation(context: Context, outcomes: readonly Outcome[]): void {
  const wanted = new Map(
    outcomes.flatMap(({ agent, activation, refused }) => (activation !== null && !refused ? [[agent, activation] as const] : [])),
  );
  if (wanted.size > 0) printLine(context, '\nBefore it runs:');
  for (const [agent, activation] of wanted) printLine(context, `    ${agentTitle(agent)}: ${activation}`);
}

const shortened = ({ cwd }: Context, path: string): string => {
  const near = relative(cwd, path);
  return near.startsWith('..') ? path : near;
};

/** Each file once, from its first state to its last. */
function filesOf(outcomes: readonly Outcome[]): FilePlan[] {
  const files = new Map<string, FilePlan>();
  for (const file of outcomes.flatMap((outcome) => outcome.files)) {
    const first = files.get(file.path);
    files.set(file.path, first === undefined ? file : { ...file, before: first.before });
  }
  return [...files.values()].filter(({ before, after }) => before === null || after === null || !before.equals(after));
}

const materializeChange = ({ path, before, after, mode }: FilePlan): Change =>
  fileChange(path, before, after, after === null ? 'removed' : 'a hook without Piton', mode);

function diffOf(outcomes: readonly Outcome[]): string {
  const text = (bytes: Buffer | null): string | null => bytes?.toString('utf8') ?? null;
  return filesOf(outcomes)
    .map(({ path, before, after, shown }) =>
      shown || isText(before ?? after) ? unifiedDiff(path, text(before), text(after)) : `Binary file ${path}\n`,
    )
    .join('');
}

const isText = (bytes: Buffer | null): boolean => bytes !== null && !bytes.includes(0);
