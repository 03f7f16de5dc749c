import { chmodSync, lstatSync, realpathSync, statSync } from 'node:fs';
import { basename, relative } from 'node:path';
import type { ConfigResult, Installed, InstallTarget, Registration } from '@piton/contracts';
import type { Places } from '@piton/contracts/places';
import { Failure } from '../failure.ts';
import { type ConfigText, type Modes, readConfig, removeConfig, writeConfig } from './config-file.ts';
import type { ConfigPlace, InstallScope } from './config-place.ts';
import { agentFailure, editRemedy } from './failed-agent.ts';
import { dropRecord, type InstallRecord, readRecord, sha256, writeRecord } from './records.ts';

/** `wanted` and `version` matter only for installing. Existing entries of ours are found without them. */
export function installTarget(
  forwarder: string,
  scope: InstallScope,
  userHome: string,
  wanted: readonly string[] = [],
  version: string | null = null,
): InstallTarget {
  const below = relative(realpathSync(userHome), forwarder);
  return { scope, forwarder, forwarderBelowHome: below.startsWith('..') ? null : below, wanted, ...(version !== null && { version }) };
}

/** The changes to one file. */
export interface EditPlan {
  readonly place: ConfigPlace;
  readonly bytes: Buffer | null;
  readonly text: string | null;
  readonly added: readonly Registration[];
  readonly removed: readonly Registration[];
  readonly changes: boolean;
  readonly exact: boolean;
  /** Where the file goes that is there: a person wrote something into one that is wholly ours. */
  readonly aside?: string;
}

export function planInstall(place: ConfigPlace, target: InstallTarget): EditPlan {
  const { text, bytes } = configAt(place);
  const result = place.agent.installer.install(text, target, place.file);
  const { edit } = edited(place, result, editRemedy(place.agent));
  const changes = edit.text !== text;
  return {
    place,
    bytes,
    text: edit.text,
    added: edit.added,
    removed: edit.removed,
    changes,
    exact: false,
    ...(changes && editedCopyOf(place, text, target)),
  };
}

/** Only a whole file of ours has no room for what a person writes. The name is none that an agent loads. */
function editedCopyOf({ agent, target: path }: ConfigPlace, text: string | null, target: InstallTarget): Pick<EditPlan, 'aside'> {
  if (text === null || agent.installer.isEdited?.(text, target) !== true) return {};
  const names = [`${path}.edited`, ...Array.from({ length: MOST_COPIES }, (_, at) => `${path}.edited-${at + 2}`)];
  return { aside: names.find((name) => lstatSync(name, { throwIfNoEntry: false }) === undefined) ?? names[0] ?? path };
}

const MOST_COPIES = 50;

/** The failure names the agent, since there may be several. */
function configAt({ agent, path, target }: ConfigPlace): ConfigText {
  try {
    return readConfig(target);
  } catch (error) {
    if (!(error instanceof Failure)) throw error;
    // A link that leads elsewhere is known to the person by its own name.
    const named =
      path === target ? error : new Failure(`${error.message} (${target})`, { where: path, ...(error.remedy && { remedy: error.remedy }) });
    throw agentFailure(agent, named, 'make it a readable and writable file, or move it away');
  }
}

function edited(place: ConfigPlace, result: ConfigResult, remedy: string): Extract<ConfigResult, { ok: true }> {
  if (result.ok) return result;
  throw agentFailure(place.agent, new Failure(result.error, { where: place.path }), remedy);
}

/** What an agent runs must be executable for everyone who has it. What belongs to one user is private. */
export function modesFor({ scope, file }: ConfigPlace): Modes {
  const directory = scope === 'user' ? 0o700 : 0o755;
  if (file.executable) return { file: 0o755, directory, executable: true };
  return { file: scope === 'user' ? 0o600 : 0o644, directory };
}

export function applyInstall(places: Places, plan: EditPlan, target: InstallTarget): void {
  const { place, bytes, text } = plan;
  if (!plan.changes) return;
  // Nothing of ours belongs in this file any more, and it has no other content.
  if (text === null) return applyUninstall(places, plan);
  keepEdited(plan);
  const former = readRecord(places, place);
  const untouched = former !== undefined && bytes !== null && sha256(bytes) === former.installedHash;
  const mode = untouched ? former.originalMode : modeToRestore(place);
  const made = writeConfig(place.target, text, bytes, modesFor(place));
  writeRecord(places, place, {
    agent: place.agent.id,
    scope: place.scope,
    file: place.target,
    original: untouched ? former.original : (originalOf(place, bytes, target)?.toString('base64') ?? null),
    ...(mode !== undefined && { originalMode: mode }),
    installedHash: sha256(text),
    madeDirectories: untouched ? former.madeDirectories : made,
    at: new Date().toISOString(),
  } satisfies InstallRecord);
}

/** Beside the file, with its mode. */
function keepEdited({ aside, bytes, place }: EditPlan): void {
  if (aside === undefined || bytes === null) return;
  writeConfig(aside, bytes, null, { file: statSync(place.target).mode & 0o777, directory: 0o700 });
}

/** The current mode of a file that must become executable. */
function modeToRestore(place: ConfigPlace): number | undefined {
  return lacksExecution(place) ? statSync(place.target).mode & 0o7777 : undefined;
}

/** Agents silently skip a file that they cannot execute. */
export function lacksExecution({ file, target }: ConfigPlace): boolean {
  if (!file.executable) return false;
  const mode = statSync(target, { throwIfNoEntry: false })?.mode;
  return mode !== undefined && (mode & 0o100) === 0;
}

/** The file as it would be without us. If an older Piton is registered in it, that is not its current content. */
function originalOf(place: ConfigPlace, bytes: Buffer | null, target: InstallTarget): Buffer | null {
  if (bytes === null) return null;
  const text = bytes.toString('utf8');
  if (place.agent.installer.installed(text, target, place.file).length === 0) return bytes;
  const without = place.agent.installer.uninstall(text, target, place.file);
  if (!without.ok) return bytes;
  return without.edit.text === null ? null : Buffer.from(without.edit.text);
}

/** `restored`: what the file will hold by then, with the person's imported hooks back in it. */
export function planUninstall(places: Places | undefined, place: ConfigPlace, target: InstallTarget, restored?: Buffer): EditPlan {
  const disk = configAt(place);
  const bytes = restored ?? disk.bytes;
  const text = restored?.toString('utf8') ?? disk.text;
  const nothing = { place, bytes: disk.bytes, text, added: [], removed: [], changes: text !== disk.text, exact: false };
  if (text === null || bytes === null) return nothing;
  const record = places && readRecord(places, place);
  const removed = place.agent.installer.installed(text, target, place.file).map((each) => each.registration);
  if (record && sha256(bytes) === record.installedHash) {
    return {
      ...nothing,
      removed,
      text: record.original === null ? null : Buffer.from(record.original, 'base64').toString('utf8'),
      changes: true,
      exact: true,
    };
  }
  const result = place.agent.installer.uninstall(text, target, place.file);
  // A file that cannot be parsed and does not mention us has no entries of ours.
  if (!result.ok && !record && !text.includes(basename(target.forwarder))) return nothing;
  const { edit } = edited(place, result, 'fix the file by hand and run this again. It was not changed');
  const changes = edit.text !== disk.text;
  return { ...nothing, text: edit.text, removed: edit.removed, changes, ...(changes && editedCopyOf(place, text, target)) };
}

/** `places` is undefined if Piton's home is gone: then only the file's content is known. */
export function applyUninstall(places: Places | undefined, plan: EditPlan): void {
  const { place } = plan;
  const record = places && readRecord(places, place);
  keepEdited(plan);
  if (plan.changes && plan.text === null) removeConfig(place.target, record?.madeDirectories ?? []);
  else if (plan.changes && plan.text !== null) {
    writeConfig(place.target, plan.text, plan.bytes, { file: 0o600, directory: 0o700 });
    if (plan.exact && record?.originalMode !== undefined) chmodSync(place.target, record.originalMode);
  }
  if (places) dropRecord(places, place);
}

/** Our registrations in a file. None if it does not exist. */
export function installedIn(place: ConfigPlace, target: InstallTarget): readonly Installed[] {
  const { text } = configAt(place);
  return text === null ? [] : place.agent.installer.installed(text, target, place.file);
}
