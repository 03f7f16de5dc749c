import { join } from 'node:path';
import type { HookDefinition, HookEvent } from '../definition.ts';
import type { Copies } from '../trust/copies.ts';
import type { TrustedHook, TrustedRoot } from '../trust/index-file.ts';
import type { Artifact, Artifacts } from './artifacts.ts';
import type { DeclaredHook } from './declared-hook.ts';
import { artifactDefinition, READY } from './definitions.ts';
import { compareNames } from './executables.ts';
import type { ProjectPlace } from './places.ts';
import { brokenCopy, notTrusted, sourceStatus, trustedHooks, unknownPolicy } from './project-trust.ts';
import { isOn } from './user-hooks.ts';

type AnyHook = HookDefinition<HookEvent>;

interface Ports {
  readonly artifacts: Artifacts;
  readonly copies: Copies;
  readonly trusted: TrustedRoot | undefined;
  /** `hooks_enabled` of the scope. */
  readonly enabled: boolean;
}

/** Artifacts of a project: what runs is the trusted copy of the whole folder, whatever has become of the source. */
export function projectArtifacts<Name extends HookEvent>(place: ProjectPlace, event: Name, ports: Ports): HookDefinition<Name>[] {
  const sources = ports.artifacts.find(place);
  const ids = new Set(sources.map(({ id }) => id));
  const gone = trustedHooks(place, ports.trusted, 'artifact').filter(([id]) => !ids.has(id));
  const all = [
    ...sources.flatMap((source) => one(place, source, ports.trusted?.hooks[source.id], ports)),
    ...gone.flatMap(([id, hook]) => fromCopy(place, id, hook, undefined, ports)),
  ];
  const ours = all.filter(isOn(event));
  return gone.length === 0 ? ours : ours.sort((a, b) => compareNames(a.id, b.id));
}

function one(place: ProjectPlace, source: Artifact, given: TrustedHook | undefined, ports: Ports): AnyHook[] {
  if (given !== undefined) return fromCopy(place, source.id, given, source, ports);
  const { hook, file } = source;
  const access = { enabled: ports.enabled, may: [], status: notTrusted(file) };
  return hook === null ? [] : [artifactDefinition(place, { ...source, hook }, file, access)];
}

function fromCopy(place: ProjectPlace, id: string, given: TrustedHook, source: Artifact | undefined, ports: Ports): AnyHook[] {
  const { artifacts, copies, enabled } = ports;
  const file = join(place.root, given.source);
  const access = { enabled, may: given.may };
  const copy = copies.at(given.hash);
  const hook = copy.ok ? artifacts.read(copy.path, id)?.hook : undefined;
  if (!copy.ok || !hook) {
    const why = copy.ok ? 'its trusted copy cannot be read' : copy.why;
    // Without its copy nobody knows what it was: if it was a policy, it must not pass for none.
    const stub: DeclaredHook = source?.hook ?? unknownPolicy(given);
    const broken = { ...stub, broken: brokenCopy(why).note };
    return [artifactDefinition(place, { id, folder: source?.folder ?? file, hook: broken }, file, { ...access, status: READY })];
  }
  const same = source !== undefined && copies.hashOf(source.folder) === given.hash;
  const status = sourceStatus(source === undefined ? null : file, same);
  return [held(hook, artifactDefinition(place, { id, folder: copy.path, hook }, file, { ...access, status }))];
}

/** The same object while nothing has changed: who notes guards compares by it. */
const definitions = new WeakMap<DeclaredHook, AnyHook>();
function held(hook: DeclaredHook, made: AnyHook): AnyHook {
  const known = definitions.get(hook);
  if (known !== undefined && accessKey(known) === accessKey(made)) return known;
  definitions.set(hook, made);
  return made;
}

/** All that can differ for one declaration in one copy. */
const accessKey = ({ enabled, may, status, folder, source }: AnyHook): string =>
  [enabled, may.join(), status.kind, 'note' in status ? status.note : '', folder, source].join('\0');
