import type { InstallTarget } from '@piton/contracts';
import { spelled } from '../command-name.ts';
import { type Context, say, tell } from '../context.ts';
import { plural } from '../output/text.ts';
import type { RuntimePlan } from '../runtime/layout.ts';
import type { Renewed } from '../server/renew.ts';
import type { AgentPlan } from './agent-plan.ts';
import { type CommandLink, linkHint } from './command-link.ts';
import { type InstallScope, whereOf } from './config-place.ts';
import type { IgnoreFile } from './ignore-file.ts';

export interface InitPlan {
  readonly scope: InstallScope;
  readonly target: InstallTarget;
  readonly runtime: RuntimePlan;
  readonly agents: readonly AgentPlan[];
  readonly ignore: IgnoreFile | undefined;
  /** Where the command can be linked, and the link to make if it was asked for. */
  readonly place: CommandLink;
  readonly link: CommandLink | undefined;
  readonly changes: boolean;
}

export function initJson(plan: InitPlan, dryRun: boolean): Record<string, unknown> {
  return {
    changed: plan.changes,
    dryRun,
    scope: plan.scope,
    runtime: { name: plan.runtime.name, before: plan.runtime.before ?? null, changed: plan.runtime.changes, node: plan.runtime.node },
    agents: plan.agents.map(agentJson),
    ...(plan.ignore && { ignoreFile: plan.ignore.file }),
    ...(plan.link && { link: plan.link.path }),
  };
}

const agentJson = ({ agent, places, edits, changes, added, removed }: AgentPlan): Record<string, unknown> => ({
  agent: agent.id,
  file: places[0].path,
  files: edits.map((edit) => ({ file: edit.place.path, changed: edit.changes })),
  changed: changes,
  added: added.map((each) => each.nativeEvent),
  removed: removed.map((each) => each.nativeEvent),
});

export function reportInit(context: Context, plan: InitPlan, dryRun: boolean, renewed: Renewed = 'none'): void {
  const { paint } = context;
  const names = plan.agents.map(({ agent }) => agent.title).join(', ');
  if (!plan.changes) return say(context, `Nothing to do: Piton is set up for ${names}.`);
  say(context, dryRun ? 'This would be done (nothing was changed):' : 'Done:');
  const mark = dryRun ? paint('yellow', '~') : paint('green', '✓');
  if (plan.runtime.changes) say(context, `  ${mark} runtime ${plan.runtime.name}, with Node from ${plan.runtime.node}`);
  for (const each of plan.agents) say(context, `  ${each.changes ? mark : paint('dim', '=')} ${each.agent.title}: ${describe(each)}`);
  if (plan.ignore) say(context, `  ${mark} ${plan.ignore.file}`);
  if (plan.link) say(context, `  ${mark} ${plan.link.path}`);
  if (renewed === 'replaced') say(context, `  ${mark} the server of the older runtime was replaced`);
  if (renewed === 'finishing') say(context, `  ${mark} the server of the older runtime finishes what it has, then makes way`);
  if (dryRun) return;
  if (plan.scope === 'project')
    tell(
      context,
      `\nCommit ${plan.agents.flatMap(({ places }) => places.map(({ label }) => label)).join(', ')} to share it; who has no Piton notices nothing.`,
    );
  const hint = linkHint(context, plan.place);
  if (hint.length > 0) say(context, `\n${hint.join('\n')}`);
  tell(
    context,
    `\nNext: ${paint('bold', spelled(context, 'piton status'))} sends a canary through it. Running agents take it up at their next start.`,
  );
}

function describe(plan: AgentPlan): string {
  const path = whereOf(plan.places);
  if (!plan.changes) return `nothing to do in ${path}`;
  const parts = [
    ...(plan.added.length > 0 ? [`${plural(plan.added.length, 'event')} registered`] : []),
    ...(plan.removed.length > 0 ? [`${plural(plan.removed.length, 'older registration')} taken out`] : []),
  ];
  return `${parts.join(', ') || 'brought up to date'} in ${path}`;
}
