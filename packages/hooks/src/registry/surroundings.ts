import { SENSITIVITIES, type Sensitivity } from '../definition.ts';
import { SANDBOX_PROFILES, type SandboxProfile } from '../sandbox/profile.ts';
import { type Entry, oneOf, text, texts } from './field-readers.ts';
import { MOST_HINTS, nearestName } from './nearest-name.ts';

/** What a hook says about where and how it may run, and about itself. */
export interface Surroundings {
  readonly sandbox?: SandboxProfile;
  readonly targets?: readonly string[];
  readonly requires?: readonly string[];
  readonly native?: boolean;
  readonly description?: string;
  readonly sensitivity?: Sensitivity;
  readonly tags?: readonly string[];
}

export const SURROUNDING_KEYS = [
  'description',
  'target_harnesses',
  'runtime_requirements',
  'sandbox_profile',
  'sensitivity',
  'tags',
  'wants',
] as const;

/** The ids of agents, by every name that people may write. */
export type AgentNames = ReadonlyMap<string, string>;

export function readSurroundings(entry: Entry, agents: AgentNames | undefined, wrong: string[]): Surroundings {
  const description = text(entry, 'description', wrong);
  const sandbox = oneOf(entry, 'sandbox_profile', SANDBOX_PROFILES, wrong);
  const sensitivity = oneOf(entry, 'sensitivity', SENSITIVITIES, wrong);
  const tags = texts(entry, 'tags', wrong);
  const targets = targetsOf(entry, agents, wrong);
  const requires = requirementsOf(entry.runtime_requirements, wrong);
  const native = oneOf(entry, 'wants', ['portable', 'native'], wrong) === 'native';
  return {
    ...(description !== undefined && { description }),
    ...(sandbox !== undefined && sandbox !== 'none' && { sandbox }),
    ...(sensitivity !== undefined && { sensitivity }),
    ...(tags !== undefined && { tags }),
    ...(targets !== undefined && { targets }),
    ...(requires !== undefined && requires.length > 0 && { requires }),
    ...(native && { native }),
  };
}

function targetsOf(entry: Entry, agents: AgentNames | undefined, wrong: string[]): readonly string[] | undefined {
  const names = texts(entry, 'target_harnesses', wrong);
  if (names === undefined || agents === undefined) return names;
  return names.map((name) => {
    const id = agents.get(name.toLowerCase());
    if (id !== undefined) return id;
    const near = wrong.length < MOST_HINTS ? nearestName(name, [...agents.keys()]) : undefined;
    wrong.push(`"target_harnesses" names ${name}, which is not an agent${near === undefined ? '' : `: did you mean ${near}?`}`);
    return name;
  });
}

function requirementsOf(value: unknown, wrong: string[]): readonly string[] | undefined {
  if (value === undefined) return undefined;
  if (typeof value !== 'object' || value === null || Array.isArray(value)) {
    wrong.push('"runtime_requirements" is not an object, such as { "system_packages": ["jq"] }');
    return undefined;
  }
  const unknown = Object.keys(value).filter((key) => key !== 'system_packages');
  for (const key of unknown) wrong.push(`"runtime_requirements" has ${key}: only system_packages is known`);
  return texts(value as Entry, 'system_packages', wrong);
}
