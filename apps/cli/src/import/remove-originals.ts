import type { Places } from '@piton/contracts/places';
import type { Context } from '../context.ts';
import { installedAt } from '../install/agent-plan.ts';
import { type Change, fileChange } from '../install/change.ts';
import { readConfig, writeConfig } from '../install/config-file.ts';
import { configPlaces } from '../install/config-place.ts';
import { installTarget } from '../install/edit.ts';
import { sha256 } from '../install/records.ts';
import { futureForwarder } from '../locations.ts';
import { plural } from '../output/text.ts';
import { type ImportedCopy, keepOriginals } from './originals.ts';
import type { Planned } from './plan.ts';

export interface Removal {
  readonly file: string;
  /** The backup of the file. */
  readonly kept?: string;
  /** Why it was not changed. */
  readonly why?: string;
}

/** What becomes of one file. */
export interface PlannedRemoval {
  readonly file: string;
  readonly why?: string;
  readonly change?: Change;
  /** What is needed to do it. */
  readonly edit?: {
    readonly agent: string;
    readonly bytes: Buffer;
    readonly rest: string;
    readonly paths: readonly string[];
    readonly copies: readonly ImportedCopy[];
  };
}

/** Looks only. */
export function planRemovedOriginals(context: Context, home: string, imported: readonly Planned[]): PlannedRemoval[] {
  return [...new Set(imported.map(({ from }) => from.path))].map((file): PlannedRemoval => {
    const ours = imported.filter(({ from }) => from.path === file);
    const agent = ours[0]?.agent;
    if (agent === undefined) return { file, why: 'nothing was imported from it' };
    const target = installTarget(futureForwarder(context), 'user', home);
    if (installedAt(configPlaces(agent, 'user', home, context.env), target).length === 0)
      return { file, why: `Piton is not registered with ${agent.title}, so the hooks would not run there: piton init --agent ${agent.id}` };
    const { text, bytes } = readConfig(file);
    const paths = ours.map(({ hook }) => hook.place.path);
    const rest = text === null ? undefined : agent.importer?.remove?.(text, paths);
    if (rest === undefined || bytes === null || rest === text) return { file, why: 'edit this file by hand' };
    const change = fileChange(file, bytes, rest, `${plural(paths.length, 'imported hook')} removed, after a backup`);
    return { file, change, edit: { agent: agent.id, bytes, rest, paths, copies: ours.map(copyOf) } };
  });
}

const copyOf = ({ folder, files }: Planned): ImportedCopy => ({
  folder,
  files: Object.fromEntries(files.map(({ path, bytes }) => [path, sha256(bytes)])),
});

/** Removes the originals from the agents' files. Each file is first copied into Piton's home. */
export function removeOriginals(places: Places, plans: readonly PlannedRemoval[]): Removal[] {
  return plans.map(({ file, why, edit }): Removal => {
    if (edit === undefined) return { file, ...(why !== undefined && { why }) };
    const { agent, bytes, rest, paths, copies } = edit;
    const kept = keepOriginals(places.home, bytes, { agent, file, paths, copies, afterHash: sha256(rest) });
    writeConfig(file, rest, bytes, { file: 0o600, directory: 0o700 });
    return { file, kept };
  });
}
