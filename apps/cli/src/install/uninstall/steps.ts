import { existsSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { shellWord } from '@piton/contracts';
import { keptBackups } from '../../import/originals.ts';
import { folderChanges } from '../../library/target.ts';
import { type McpPlan, mcpChange } from '../../mcp/registration.ts';
import { oneLine, plural } from '../../output/text.ts';
import { unifiedDiff } from '../../output/unified-diff.ts';
import { isUntouched } from '../../readiness/trust-hooks.ts';
import { type MembershipFound, teamDirectory } from '../../team/membership.ts';
import { type Change, ownChange, type Step } from '../change.ts';
import { readConfig } from '../config-file.ts';
import type { EditPlan } from '../edit.ts';
import { editChange, hookRemovalChange } from '../init/steps.ts';
import type { UninstallPlan, WatchedRemoval } from './plan.ts';

/** What `uninstall` does without `--purge`. */
export function removalSteps(plan: UninstallPlan): Step[] {
  const steps = [
    ...plan.agents.flatMap(({ edits }) => edits.map((edit) => editStep(edit, plan))),
    ...aloneMcp(plan).map(mcpStep),
    ...originalSteps(plan),
    ...plan.copies.unchanged.map(copyStep),
    ...plan.consents.map(consentStep),
    ...(plan.ignore === undefined ? [] : [removed(plan.ignore, 'kept personal files out of git')]),
    ...plan.repositories.flatMap((each) => repositorySteps(each, plan.places?.home ?? '')),
    ...(plan.link ? [removed(plan.link.path, 'a link to the command')] : []),
  ];
  const { places } = plan;
  if (places === undefined || steps.length === 0) return steps;
  const records: Change = { action: 'change', path: places.home, what: "Piton's own records", whole: true };
  return [...steps, { what: `Piton's own records in ${places.home}`, notes: [], changes: [records] }];
}

/** Of the others, the edit of the registrations in the same file removes the server too. */
export const aloneMcp = ({ mcp, agents }: Pick<UninstallPlan, 'mcp' | 'agents'>): readonly McpPlan[] =>
  mcp.filter(({ place }) => !agents.some(({ edits }) => edits.some((edit) => edit.place.target === place.target)));

const mcpStep = (plan: McpPlan): Step => ({
  what: `${plan.place.path}: MCP server piton removed${plan.exact ? ', restored byte for byte' : ', the rest unchanged'}`,
  notes: [],
  changes: [mcpChange(plan, 'removed')],
});

function editStep(edit: EditPlan, { originals, mcp }: UninstallPlan): Step {
  const restored = originals.files.find(({ file }) => file === edit.place.target);
  return {
    what: `${edit.place.path}: ${describeEdit(edit)}`,
    notes: [
      ...(mcp.some(({ place }) => place.target === edit.place.target) ? ['the MCP server piton is removed from it too'] : []),
      ...(restored ? [`your ${plural(restored.hooks, 'imported hook')} ${restored.hooks === 1 ? 'is' : 'are'} in it again`] : []),
    ],
    changes: [editChange(edit)],
  };
}

export function describeEdit({ exact, text, removed: registrations, aside }: EditPlan): string {
  if (aside !== undefined) return `edited since, so it is kept as ${aside}, where nothing loads it`;
  if (text === null) return exact ? 'removed, it did not exist before' : 'removed, it had no other content';
  return exact ? 'restored byte for byte' : `${plural(registrations.length, 'registration')} removed, the rest unchanged`;
}

/** Files of agents in which Piton is not registered any more. */
function originalSteps({ originals, agents, mcp }: UninstallPlan): Step[] {
  const edited = new Set([...agents.flatMap(({ edits }) => edits), ...mcp].map(({ place }) => place.target));
  return originals.files
    .filter(({ file }) => !edited.has(file))
    .map(({ file, before, after, hooks }) => ({
      what: `${file}: your ${plural(hooks, 'imported hook')} put back`,
      notes: [],
      changes: [
        {
          ...{ action: before === null ? 'create' : 'change', path: file, what: `${plural(hooks, 'imported hook')} put back` },
          ...{ diff: unifiedDiff(file, before?.toString('utf8') ?? null, after.toString('utf8')), ...(before === null && { mode: 0o600 }) },
        },
      ],
    }));
}

const copyStep = (folder: string): Step => ({
  what: `${folder} removed: the hook that it is a copy of is back`,
  notes: [],
  changes: folderChanges(folder, [], 'user'),
});

function consentStep(record: UninstallPlan['consents'][number]): Step {
  const { file, original } = record;
  if (!isUntouched(record))
    return { what: `${file} was changed since, so the trust entries for the removed registrations stay`, notes: [], changes: [] };
  const [before, after] = [readConfig(file).text, original === null ? null : Buffer.from(original, 'base64').toString('utf8')];
  const change: Change = {
    ...{ action: after === null ? 'remove' : 'change', path: file, what: 'trust entries removed' },
    diff: unifiedDiff(file, before, after),
  };
  return { what: `${file}: restored byte for byte`, notes: [], changes: [change] };
}

const removed = (path: string, what: string): Step => ({ what: `${path} removed`, notes: [], changes: [{ action: 'remove', path, what }] });

function repositorySteps({ root, files, config, unreadable }: WatchedRemoval, home: string): Step[] {
  const stopped: Step = {
    what: `no more checkpoints in ${root}`,
    notes: unreadable === undefined ? [] : [`its git hooks cannot be read: ${unreadable}`],
    changes: [ownChange(join(home, 'repositories'), `no more checkpoints in ${root}`)],
  };
  const changes = [
    ...(config === null ? [] : [configChange(config)]),
    ...files.filter(({ isConfiguration }) => !isConfiguration).map(hookRemovalChange),
  ];
  const places = [...new Set(changes.map(({ path }) => (path === config ? path : dirname(path))))];
  const hooks = places.map((place) => {
    const here = changes.filter(({ path }) => path === place || dirname(path) === place);
    const what = place === config ? `${place}: git hooks removed` : `${place}: ${plural(here.length, 'git hook')} removed`;
    return { what, notes: [], changes: here };
  });
  const managers = files
    .filter(({ isConfiguration }) => isConfiguration)
    .map((removal): Step => ({ what: `${removal.file}: Piton's commands removed`, notes: [], changes: [hookRemovalChange(removal)] }));
  return [stopped, ...hooks, ...managers];
}

const configChange = (path: string): Change => ({ action: 'change', path, what: 'git hooks removed' });

/** What `--purge` deletes beside: all that is Piton's, and nothing that is the person's. */
export function purgeSteps(plan: UninstallPlan): Step[] {
  const { places, kept } = plan;
  if (places === undefined) return [];
  const backups = backupsLeft(plan);
  return [
    ...teamSteps(plan),
    ...kept.map(({ root, commonDir, refs }): Step => {
      const what = `checkpoints in ${root}: ${plural(refs.length, 'ref')} below refs/piton`;
      return {
        what,
        notes: [],
        changes: [{ action: 'remove', path: join(commonDir, 'refs', 'piton'), what, refs: refs.length, whole: true }],
      };
    }),
    {
      what: `${places.home}: recorded events, trusted hooks, runtime`,
      notes: backups.length > 0 ? [`without ${join(places.home, 'imported')}, which holds the only copy of hooks of yours`] : [],
      changes: [{ action: 'remove', path: places.home, what: "all of Piton's data", whole: true }],
    },
    ...(existsSync(places.sockets) ? [removedWhole(places.sockets)] : []),
  ];
}

/** The server is told, and what left stays there. */
function teamSteps({ places, team }: UninstallPlan): Step[] {
  if (places === undefined || team === undefined) return [];
  const what = `${teamName(team)}: this machine leaves it, and its key is deleted`;
  const notes = ['what was sent to its server stays there. Joining again needs a new code'];
  return [{ what, notes, changes: [{ action: 'remove', path: teamDirectory(places), what, whole: true }] }];
}

const teamName = (team: MembershipFound): string =>
  team === 'broken' ? 'a team' : `the team ${oneLine(team.tenant.name)} at ${oneLine(team.url)}`;

const removedWhole = (path: string): Step => ({
  what: `${path}: the server's sockets`,
  notes: [],
  changes: [{ action: 'remove', path, what: "the server's sockets", whole: true }],
});

/** Backups of the person's files that this plan does not put back. */
export function backupsLeft({ places, originals }: UninstallPlan): string[] {
  const back = new Set(originals.files.flatMap(({ records }) => records.map(({ kept }) => kept)));
  return places === undefined ? [] : keptBackups(places.home).filter((kept) => !back.has(kept));
}

/** What is left on the machine, and how to remove it. */
export interface Left {
  readonly path: string;
  readonly what: string;
  /** Nothing if it is the person's own. */
  readonly remedy?: string;
}

export function whatStays(plan: UninstallPlan, isPurged: boolean): Left[] {
  const { places, kept, scope, only, team } = plan;
  if (places === undefined) return [];
  const data: Left[] = isPurged
    ? []
    : [
        ...kept.map(({ root, refs }) => ({
          ...{ path: root, what: `${plural(refs.length, 'ref')} below refs/piton: checkpoints, with prompts and files` },
          remedy: 'piton clean --repository',
        })),
        ...(team === undefined
          ? []
          : [{ path: teamDirectory(places), what: `this machine is still in ${teamName(team)}`, remedy: 'piton team leave' }]),
        ...(scope === 'user' && only === undefined
          ? [{ path: places.home, what: 'recorded data', remedy: 'piton uninstall --purge' }]
          : []),
      ];
  return [
    ...data,
    ...(only === undefined ? backupsLeft(plan) : []).map((path) => ({
      path,
      what: 'the only copy of hooks of yours that `import` took out of a file',
    })),
    ...plan.copies.changed.map((path) => ({
      ...{ path, what: "a copy of a hook that is back in your agent's file, changed since. After another init both would run" },
      remedy: `piton hooks remove ${shellWord(relative(join(places.config, 'artifacts'), path))} --force`,
    })),
    ...(scope === 'user' && only === undefined && existsSync(places.config)
      ? [{ path: places.config, what: 'your settings, hooks and artifacts' }]
      : []),
    ...kept
      .map(({ root }) => join(root, '.piton'))
      .filter((path) => path !== (plan.ignore && dirname(plan.ignore)) && existsSync(path))
      .map((path) => ({ path, what: 'hooks and settings of the project' })),
  ];
}
