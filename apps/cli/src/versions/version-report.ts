import { differencesAt, type VersionClass, versionClass } from '@piton/agents';
import type { Agent } from '@piton/contracts';
import type { InstalledVersion } from './installed-version.ts';

/** For `--json`. Null where the agent is not installed, or nothing tells its version. */
export interface VersionJson {
  readonly version: string | null;
  readonly versionClass: VersionClass;
}

export function versionJson(agent: Agent, here: InstalledVersion | undefined): VersionJson {
  const version = here?.version ?? null;
  return { version, versionClass: versionClass(agent, version) };
}

export const titleWithVersion = (title: string, version: string | null): string => (version === null ? title : `${title} ${version}`);

/** What a person should know of the version, or undefined: the proven one needs no word, and of an unproven agent it is said elsewhere. */
export function versionNote(agent: Agent, here: InstalledVersion | undefined): string | undefined {
  const { title, provenVersion } = agent;
  const version = here?.version ?? null;
  const name = titleWithVersion(title, version);
  switch (versionClass(agent, version)) {
    case 'proven':
      return undefined;
    case 'older':
      return `${name} is older than ${provenVersion}, with which Piton was proven: ${olderText(agent, version ?? '')}`;
    case 'too old':
      return `${name} is older than any that was tried${agent.versions.oldest === null ? ` (${provenVersion})` : ` (the oldest is ${agent.versions.oldest})`}: its events may not reach Piton. Update ${title}`;
    case 'newer':
      return `${name} is newer than ${provenVersion}, with which Piton was proven. It should work, but no full run has shown it`;
    case 'unknown':
      if (provenVersion === null || here === undefined) return undefined;
      return `${title}'s version is not known, so it is registered as for ${provenVersion}`;
  }
}

function olderText(agent: Agent, version: string): string {
  const answers = differencesAt(agent, version).map(({ answer }) => answer.replace(/\.$/, ''));
  return answers.length === 0 ? 'it works in the same way' : `it works, with this difference: ${answers.join('. ')}`;
}
