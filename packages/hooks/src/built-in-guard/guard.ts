import type { CanonicalEvent, Decision } from '@piton/contracts';
import { distinctiveNames, skippingUnnamed } from './distinctive-names.ts';
import type { Finding } from './finding.ts';
import { createBelow, createClaimOf, createReceives, knownOf } from './guarded-paths.ts';
import { type Disk, type GuardedPlaces, PROJECT_DIRECTORY } from './guarded-places.ts';
import type { Grounds } from './named-place.ts';
import { createHasPitonGitHooks } from './piton-git-hooks.ts';
import { createPlainness } from './plain-command.ts';
import { judgeTool } from './tool-judge.ts';

export const GUARD_MODES = ['deny', 'ask', 'off'] as const;
export type GuardMode = (typeof GUARD_MODES)[number];

/** Says no, or asks, where a tool call would change what keeps the agent in check. */
export type BuiltInGuard = (event: CanonicalEvent) => Finding | undefined;

export function createBuiltInGuard(places: GuardedPlaces, disk: Disk): BuiltInGuard {
  const known = knownOf(places, disk);
  const names = distinctiveNames(known);
  const claimOf = skippingUnnamed(createClaimOf(known, places, disk), names);
  const receives = createReceives(known, places, disk, claimOf);
  const groundsAt = createGrounds(places, disk, { claimOf, receives, below: createBelow(known, disk) });
  const { isPlainCommand, isPlainFile } = createPlainness({
    ...{ known, names, disk, marks: marksOf(places), home: places.variables.HOME },
    agents: (places.agents ?? []).flatMap(({ programs, packages }) => [...programs, ...packages]),
  });
  const judged = new WeakMap<CanonicalEvent, { readonly found: Finding | undefined }>();
  const isPlain = ({ tool, cwd }: CanonicalEvent): boolean =>
    tool?.kind === 'shell'
      ? tool.command !== undefined && isPlainCommand(tool.command, cwd)
      : tool?.kind === 'edit' && tool.files.length > 0 && tool.files.every((file) => isPlainFile(file, cwd));
  return (event) => {
    // Asked once for the plan and again where another hook decides too.
    const earlier = judged.get(event);
    if (earlier !== undefined) return earlier.found;
    const found = isPlain(event) ? undefined : judgeTool(event, groundsAt(event.cwd));
    judged.set(event, { found });
    return found;
  };
}

/** What is judged by, wherever the agent is. */
export function createGrounds(
  places: GuardedPlaces,
  disk: Disk,
  of: Pick<Grounds, 'claimOf' | 'below' | 'receives'>,
): (here: string) => Grounds {
  const { variables, pids } = places;
  const marks = marksOf(places);
  const markIn: Grounds['markIn'] = (text) => {
    const folded = text.toLowerCase();
    return marks.find((mark) => folded.includes(mark));
  };
  const hasPitonGitHooks = createHasPitonGitHooks(places, disk);
  const followed = (path: string): string => path;
  const spend = (): boolean => true;
  const common = { followed, spend, ...of, disk, variables, pids, markIn, hasPitonGitHooks, agents: places.agents ?? [] };
  return (here) => ({ ...common, here });
}

/** By which a text that cannot be read as a command speaks of us. */
export const marksOf = ({ directories, userFiles, projectFiles, variables }: GuardedPlaces): string[] => {
  const home = variables.HOME;
  const short = [...directories, ...userFiles].map((path) =>
    home !== undefined && path.startsWith(`${home}/`) ? path.slice(home.length + 1) : path,
  );
  return [...new Set([PROJECT_DIRECTORY, ...short, ...projectFiles].map((mark) => mark.toLowerCase()))];
};

export function decisionOn(found: Finding, mode: Exclude<GuardMode, 'off'>): Decision {
  // Nobody knows what it does: a person decides.
  const decision = found.kind === 'unread' || found.kind === 'incomplete' ? 'ask' : mode;
  return { decision, reason: `${wordsOf(found)} ${decision === 'deny' ? WAY_FORWARD : ASKING}` };
}

const WAY_FORWARD =
  'Reading these is fine. Do not look for a way around this: if it is what the user wants, ask them to do it themselves, in their own terminal, or to set "guard" to "ask" in their Piton settings.';
const ASKING = 'It needs the confirmation of the user.';

function wordsOf(found: Finding): string {
  switch (found.kind) {
    case 'place':
      return `Agents may not change Piton's files or the settings that run its hooks, and ${found.by} may change ${shown(found.place)}.`;
    case 'command':
      return `${shown(found.command)} is for the user only: with it an agent could disable its guards.`;
    case 'server':
      return `Agents may not stop the Piton server, and ${found.by} may do that.`;
    case 'agent':
      return `${found.by} would run without its hooks (${shown(found.how)}).`;
    case 'unread':
      return 'This command is too long or too deeply nested to be checked. Split it into shorter commands.';
    case 'incomplete':
      return `This call cannot be checked: ${shown(found.what)}.`;
  }
}

/** It came from a model: one short line. */
const shown = (text: string): string => {
  const line = text.replaceAll(/[\u0000-\u001f\u007f-\u009f\u2028\u2029]+/g, '?');
  return line.length > 120 ? `${line.slice(0, 119)}…` : line;
};
