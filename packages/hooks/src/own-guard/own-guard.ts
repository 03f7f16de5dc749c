import type { CanonicalEvent, Decision } from '@piton/contracts';
import type { Finding } from './finding.ts';
import type { Grounds } from './named-place.ts';
import { createHasOwnGitHooks } from './own-git-hooks.ts';
import { type ClaimOf, createOwnPaths, knownOf } from './own-paths.ts';
import { type Disk, type OwnPlaces, PROJECT_DIRECTORY } from './own-places.ts';
import { createPlainness } from './plain-command.ts';
import { quickly, tellingNames } from './telling-names.ts';
import { judgeTool } from './tool-judge.ts';

export const GUARD_MODES = ['deny', 'ask', 'off'] as const;
export type GuardMode = (typeof GUARD_MODES)[number];

/** Says no, or asks, where a tool call would change what keeps the agent in check. */
export type OwnGuard = (event: CanonicalEvent) => Finding | undefined;

export function createOwnGuard(places: OwnPlaces, disk: Disk): OwnGuard {
  const known = knownOf(places, disk);
  const names = tellingNames(known);
  const groundsAt = createGrounds(places, disk, quickly(createOwnPaths(known, places, disk), names));
  const { isPlainCommand, isPlainFile } = createPlainness({ known, names, marks: marksOf(places), home: places.variables.HOME, disk });
  const judged = new WeakMap<CanonicalEvent, { readonly found: Finding | undefined }>();
  const isPlain = ({ tool, cwd }: CanonicalEvent): boolean =>
    tool?.kind === 'shell'
      ? tool.command !== undefined && isPlainCommand(tool.command, cwd)
      : tool?.kind === 'edit' && tool.files.every((file) => isPlainFile(file, cwd));
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
export function createGrounds(places: OwnPlaces, disk: Disk, claimOf: ClaimOf): (here: string) => Grounds {
  const { variables, pids } = places;
  const marks = marksOf(places);
  const markIn: Grounds['markIn'] = (text) => {
    const folded = text.toLowerCase();
    return marks.find((mark) => folded.includes(mark));
  };
  const hasOwnGitHooks = createHasOwnGitHooks(places, disk);
  return (here) => ({ claimOf, disk, here, variables, pids, markIn, hasOwnGitHooks });
}

/** By which a text that cannot be read as a command speaks of us. */
export const marksOf = ({ directories, userFiles, projectFiles, variables }: OwnPlaces): string[] => {
  const home = variables.HOME;
  const short = [...directories, ...userFiles].map((path) =>
    home !== undefined && path.startsWith(`${home}/`) ? path.slice(home.length + 1) : path,
  );
  return [...new Set([PROJECT_DIRECTORY, ...short, ...projectFiles].map((mark) => mark.toLowerCase()))];
};

export function decisionOn(found: Finding, mode: Exclude<GuardMode, 'off'>): Decision {
  return { decision: mode, reason: `${wordsOf(found)} ${mode === 'deny' ? WAY_FORWARD : ASKING}` };
}

const WAY_FORWARD =
  'Reading these is fine. Do not look for a way around this: if it is what the person wants, ask them to do it themselves, outside of you, or to set "guard" to "ask" in their own Piton settings.';
const ASKING = 'It needs the person’s own yes.';

function wordsOf(found: Finding): string {
  switch (found.kind) {
    case 'place':
      return `Piton keeps agents from changing its own files and the settings that run its hooks, and ${found.by} may change ${shown(found.place)}.`;
    case 'command':
      return `${shown(found.command)} is for the person alone: with it an agent could lift what keeps it in check.`;
    case 'server':
      return `Piton keeps agents from ending its server, and ${found.by} may do that.`;
  }
}

/** It came from a model: one short line. */
const shown = (text: string): string => {
  const line = text.replaceAll(/[\u0000-\u001f\u007f-\u009f\u2028\u2029]+/g, '?');
  return line.length > 120 ? `${line.slice(0, 119)}…` : line;
};
