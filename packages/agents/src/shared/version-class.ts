import { type Agent, type AgentVersions, compareVersions, type NativeEvent } from '@piton/contracts';

/**
 * What is known of a version: `proven`, all claims were seen with it; `older`, it was driven at the edges and has registrations that
 * fit; `too old`, older than any that was driven; `newer` than the proven one; `unknown`, nothing tells the version or none is proven.
 */
export type VersionClass = 'proven' | 'older' | 'too old' | 'newer' | 'unknown';

export function versionClass({ provenVersion, versions }: Agent, version: string | null): VersionClass {
  if (version === null || provenVersion === null) return 'unknown';
  const order = compareVersions(version, provenVersion);
  if (order === 0) return 'proven';
  if (order > 0) return 'newer';
  return compareVersions(version, versions.oldest ?? provenVersion) < 0 ? 'too old' : 'older';
}

/** What this version does otherwise than the proven one. */
export const differencesAt = ({ versions }: Agent, version: string): AgentVersions['differences'] =>
  versions.differences.filter(({ below }) => compareVersions(version, below) < 0);

/** Where nothing tells the version, the events are those of the proven one. */
export const isKnownTo = ({ since }: Pick<NativeEvent, 'since'>, version: string | undefined): boolean =>
  version === undefined || since === undefined || compareVersions(version, since) >= 0;
