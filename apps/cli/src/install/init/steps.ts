import { basename, dirname, join } from 'node:path';
import type { GitHooksPlan, GitHooksRemoval } from '@piton/checkpoints/git-hooks';
import { plural } from '../../output/text.ts';
import { unifiedDiff } from '../../output/unified-diff.ts';
import { versionNote } from '../../versions/version-report.ts';
import type { AgentPlan } from '../agent-plan.ts';
import { agentTitle } from '../agent-title.ts';
import type { Change, Step } from '../change.ts';
import { whereOf } from '../config-place.ts';
import { type EditPlan, modesFor } from '../edit.ts';
import { ignoreChange } from '../ignore-file.ts';
import type { RepositoryPlan } from '../watch-repository.ts';
import type { InitPlan } from './plan.ts';

export const initSteps = (plan: Omit<InitPlan, 'steps' | 'changes'>): Step[] => [
  ...homeStep(plan),
  ...plan.agents.map((each) => agentStep(each, plan)),
  ...(plan.ignore ? [{ what: plan.ignore.file, notes: [], changes: [ignoreChange(plan.ignore)] }] : []),
  ...(plan.link ? [{ what: plan.link.path, notes: [], changes: [linkChange(plan.link)] }] : []),
  ...(plan.repository ? repositorySteps(plan.repository, plan.pitonHome.path) : []),
];

/** Runtime, records, and what is noted of this machine: all in one directory of Piton's own. */
function homeStep({ runtime, pitonHome, agents, repository }: Omit<InitPlan, 'steps' | 'changes'>): Step[] {
  const records = agents.some((agent) => agent.changes) || repository?.added === true;
  if (!runtime.changes && !records) return [];
  const what = runtime.changes ? `runtime ${runtime.name}, with Node from ${runtime.node}` : "Piton's own records";
  return [
    {
      what: runtime.changes ? what : `${what} in ${pitonHome.path}`,
      notes: runtime.changes ? [`in ${pitonHome.path}`] : [],
      changes: [{ action: pitonHome.exists ? 'change' : 'create', path: pitonHome.path, what, whole: true }],
    },
  ];
}

function agentStep(plan: AgentPlan, { needs, versions }: Pick<InitPlan, 'needs' | 'versions'>): Step {
  const needed = (needs.get(plan.agent.id) ?? []).filter(({ nativeEvent }) => plan.added.some((each) => each.nativeEvent === nativeEvent));
  return {
    what: `${agentTitle(plan.agent)}: ${describeAgent(plan)}`,
    // Costly events are registered only for a hook, which is named.
    notes: [
      ...[versionNote(plan.agent, versions.get(plan.agent.id)) ?? []].flat(),
      ...plan.edits.flatMap(({ place, aside }) =>
        aside === undefined ? [] : [`${place.path} was edited: as it is now it is kept as ${aside}`],
      ),
      ...needed.map(({ nativeEvent, hook }) => `also ${nativeEvent}, needed by ${hook}`),
    ],
    ahead:
      plan.changes && plan.agent.readiness?.asks === true
        ? [`${plan.agent.title} has to trust them before it runs them. If it does not yet, you are asked about that next.`]
        : [],
    changes: plan.edits.filter(({ changes }) => changes).map((edit) => editChange(edit)),
  };
}

function describeAgent(plan: AgentPlan): string {
  const path = whereOf(plan.places);
  if (!plan.changes) return `nothing to do in ${path}`;
  const parts = [
    ...(plan.added.length > 0 ? [`${plural(plan.added.length, 'event')} registered`] : []),
    ...(plan.removed.length > 0 ? [`${plural(plan.removed.length, 'older registration')} removed`] : []),
  ];
  return `${parts.join(', ') || 'updated'} in ${path}`;
}

export const diffOf = (edit: EditPlan): string => unifiedDiff(edit.place.path, edit.bytes?.toString('utf8') ?? null, edit.text);

export function editChange(edit: EditPlan): Change {
  const { place, bytes, text, added, removed, aside } = edit;
  const action = bytes === null ? 'create' : text === null ? 'remove' : 'change';
  const parts = [
    ...(added.length > 0 ? [`${plural(added.length, 'registration')} added`] : []),
    ...(removed.length > 0 ? [`${plural(removed.length, 'registration')} removed`] : []),
  ];
  return {
    ...{ action, path: place.target, what: `${place.agent.title}: ${parts.join(', ') || 'updated'}`, diff: diffOf(edit) },
    ...(aside !== undefined && { aside }),
    ...(action === 'create' && { mode: modesFor(place).file }),
  };
}

const linkChange = ({ path, target }: { path: string; target: string }): Change => ({
  action: 'create',
  path,
  what: `a link to ${target}`,
});

function repositorySteps({ root, added, hooks }: RepositoryPlan, home: string): Step[] {
  const watched: Step[] = added
    ? [
        {
          what: `checkpoints of every turn in ${root}`,
          notes: ['saved as git objects below refs/piton, which no branch, push or clone shows'],
          changes: [{ action: 'change', path: join(home, 'repositories'), what: `checkpoints of every turn in ${root}`, whole: true }],
        },
      ]
    : [];
  if ('why' in hooks) return watched;
  const { files, config, removed, managed, offered } = hooks;
  const changes = [
    ...files.map(
      ({ hook, file, before, after, mode, aside, link }): Change => ({
        ...{ action: before === null && aside === null ? 'create' : 'change', path: file },
        what: `git hook ${hook}${link === null ? '' : `: a link to ${link}`}`,
        ...(link === null && { mode, ...(aside === null ? { diff: hookDiff(file, before, after) } : { aside }) }),
      }),
    ),
    ...(config === null ? [] : [configChange(config)]),
    ...(managed === null ? [] : [managedChange(managed)]),
    ...removed.map(hookRemovalChange),
  ];
  if (changes.length === 0) return watched;
  const named = config?.hooks ?? files.map(({ hook }) => hook);
  const where = config?.file ?? dirname(files[0]?.file ?? root);
  const places = [
    ...(managed === null ? [] : [hooksIn(managed.hooks, managed.file)]),
    ...(named.length > 0 || managed === null ? [hooksIn(named, where)] : []),
  ];
  return [
    ...watched,
    {
      what: places.join('; '),
      notes: [
        ...files.flatMap(({ hook, before, aside, link }) => [
          ...(aside === null ? [] : [`your ${hook} moves to ${aside}, and still runs`]),
          ...(aside === null && before !== null && link === null ? [`your ${hook} stays, with a part of Piton's at its beginning`] : []),
        ]),
        ...(managed === null ? [] : [`everyone who uses ${basename(managed.file)} gets these lines; without Piton they do nothing`]),
        ...(offered === null
          ? []
          : [`lefthook rewrites its hooks. To add Piton to ${basename(offered)} instead: piton init --shared-hooks`]),
      ],
      changes,
    },
  ];
}

/** Git hooks are read byte by byte. */
const hookDiff = (file: string, before: string | null, after: string | null): string => unifiedDiff(file, textOf(before), textOf(after));
const textOf = (bytes: string | null): string | null => (bytes === null ? null : Buffer.from(bytes, 'latin1').toString('utf8'));

export const hookRemovalChange = ({ file, before, after, mode, aside }: GitHooksRemoval['files'][number]): Change => ({
  ...{ action: after === null && aside === null ? 'remove' : 'change', path: file, what: "Piton's part of a git hook" },
  ...(aside === null ? { diff: hookDiff(file, before, after), ...(after !== null && { mode }) } : { aside }),
});

const hooksIn = (hooks: readonly string[], where: string): string => `${plural(hooks.length, 'git hook')} in ${where}: ${hooks.join(', ')}`;

/** A hook manager's own configuration, which everybody in the project has. */
const managedChange = ({ file, before, after, hooks }: NonNullable<GitHooksPlan['managed']>): Change => ({
  ...{
    action: 'change',
    path: file,
    what: `${plural(hooks.length, 'git hook')}: ${hooks.join(', ')}`,
    diff: hookDiff(file, before, after),
  },
});

const configChange = ({ file, hooks }: { file: string; hooks: readonly string[] }): Change => ({
  ...{ action: 'change', path: file, what: `${plural(hooks.length, 'git hook')} registered: ${hooks.join(', ')}` },
});
