import type { Agent, RunVerdict } from '@piton/contracts';
import type { Places } from '@piton/contracts/places';
import { evidenceOfAgent } from '../agents/under-agent.ts';
import type { Context } from '../context.ts';
import { Failure } from '../failure.ts';
import { readConfig, removeConfig, writeConfig } from '../install/config-file.ts';
import type { InstallScope } from '../install/config-place.ts';
import { attempt, type FailedAgent } from '../install/failed-agent.ts';
import { dropOther, type InstallRecord, otherRecords, sha256, writeOther } from '../install/records.ts';
import { askIfInteractive } from '../question.ts';
import { repositoryRoot } from '../repository.ts';
import { pathIn } from './readiness.ts';

type Consent = NonNullable<Extract<RunVerdict, { runs: false }>['consent']>;

/**
 * A user's consent to the agent's question whether our hooks may run. `--yes` is not enough: it means to continue with `init`,
 * and this is a guard of the agent. Under an agent no consent counts.
 */
export async function mayTrust(context: Context, consent: Consent, flag: boolean): Promise<boolean> {
  if (evidenceOfAgent(context.env)) return false;
  return flag || (await askIfInteractive(context, consent.question));
}

/** Makes the edit that was consented to, and records the original content. */
export function trustHooks(context: Context, places: Places, agent: Agent, scope: InstallScope, home: string, consent: Consent): string {
  const path = pathIn(consent.file, { scope, home, project: repositoryRoot(context) ?? context.cwd });
  const { text, bytes } = readConfig(path);
  const result = consent.edit(text);
  if (!result.ok)
    throw new Failure(`${agent.title}'s trust entries cannot be written: ${result.error}`, {
      where: path,
      remedy: 'approve the hooks in the agent',
    });
  if (result.edit.text === null || result.edit.text === text) return path;
  const made = writeConfig(path, result.edit.text, bytes, { file: 0o600, directory: 0o700 });
  const record: InstallRecord = {
    agent: agent.id,
    scope,
    file: path,
    original: bytes?.toString('base64') ?? null,
    installedHash: sha256(result.edit.text),
    madeDirectories: made,
    at: new Date().toISOString(),
  };
  writeOther(places, 'consents', record, bytes);
  return path;
}

export interface Withdrawn {
  readonly file: string;
  /** False if somebody else changed the file since: then our edit stays. */
  readonly exact: boolean;
}

/** What would be withdrawn for agents that no longer have Piton. Looks only. */
export const consentsOf = (places: Places, agents: readonly Agent[], scope: InstallScope): InstallRecord[] =>
  otherRecords(places, 'consents').filter((record) => record.scope === scope && agents.some(({ id }) => id === record.agent));

/** Nobody else changed the file since. */
export function isUntouched({ file, installedHash }: InstallRecord): boolean {
  const { bytes } = readConfig(file);
  return bytes !== null && sha256(bytes) === installedHash;
}

/** Restores, byte for byte, the files in which trust was written. */
export function withdrawTrust(places: Places, agents: readonly Agent[], scope: InstallScope, failed: FailedAgent[]): Withdrawn[] {
  const consents = consentsOf(places, agents, scope);
  return agents.flatMap((agent) =>
    consents
      .filter((record) => record.agent === agent.id)
      .flatMap((record) => attempt(agent, failed, () => withdraw(places, record)) ?? []),
  );
}

function withdraw(places: Places, record: InstallRecord): Withdrawn {
  const exact = isUntouched(record);
  if (exact && record.original === null) removeConfig(record.file, record.madeDirectories);
  else if (exact)
    writeConfig(record.file, Buffer.from(record.original as string, 'base64'), readConfig(record.file).bytes, {
      file: 0o600,
      directory: 0o700,
    });
  dropOther(places, 'consents', record);
  return { file: record.file, exact };
}
