import { createHash } from 'node:crypto';
import { AGENTS } from '@piton/agents';
import type { Agent } from '@piton/contracts';
import { registeredVersions, seenVersions } from '@piton/contracts/noted-versions';
import type { Places } from '@piton/contracts/places';
import { repositoryOf } from '@piton/contracts/repository';
import type { TeamInventory, TeamRepository } from '@piton/contracts/team';
import type { Store } from '@piton/store';
import { ALLOW_UNDER_AGENT } from '../../agents/under-agent.ts';
import type { Context } from '../../context.ts';
import { hooksAt } from '../../hooks/in-force.ts';
import { readConfig } from '../../install/config-file.ts';
import { lookUp } from '../../install/config-place.ts';
import { installTarget } from '../../install/edit.ts';
import { allRecords, type InstallRecord, sha256 } from '../../install/records.ts';
import { userHome } from '../../locations.ts';
import { readSettings, settingsFile } from '../../settings/files.ts';
import type { MachineReader } from '../sender-ports.ts';
import { hookDigest } from './hook-digest.ts';

export interface InventoryInput {
  readonly context: Context;
  readonly places: Places;
  readonly store: Store;
  readonly reader: MachineReader;
  readonly now: number;
}

/** What is in force on this machine. Of repositories only those that may be reported. */
export async function readInventory(input: InventoryInput): Promise<TeamInventory> {
  const { context, places, now } = input;
  const records = allRecords(places);
  const agents = AGENTS.filter(({ id }) => records.some(({ agent }) => agent === id));
  return {
    at: new Date(now).toISOString(),
    piton: context.version,
    platform: `${process.platform} ${process.arch}`,
    agents: await Promise.all(agents.map((agent) => describeAgent(input, agent, records))),
    hooks: await listHooks(input),
    mcpServers: mcpServers(input),
    guard: { builtIn: guardMode(context), lifted: context.env[ALLOW_UNDER_AGENT] !== undefined },
  };
}

type TeamAgent = TeamInventory['agents'][number];

async function describeAgent(input: InventoryInput, agent: Agent, records: readonly InstallRecord[]): Promise<TeamAgent> {
  const { places, store } = input;
  const seen = seenVersions(places.home)[agent.id]?.version;
  const registered = registeredVersions(places.home)[agent.id];
  const [canary] = await store.events({ agent: agent.id, canary: true, limit: 1 });
  return {
    agent: agent.id,
    versions: [...new Set([seen, registered].filter((one): one is string => typeof one === 'string'))].sort(),
    registrations: records.filter((record) => record.agent === agent.id).flatMap((record) => registration(input, agent, record) ?? []),
    canaryAt: canary === undefined ? null : new Date(canary.wallUs / 1000).toISOString(),
  };
}

function registration(
  { context, places, reader }: InventoryInput,
  agent: Agent,
  record: InstallRecord,
): TeamAgent['registrations'][number] | undefined {
  const { scope, file } = record;
  const repository = scope === 'user' ? null : reader.repositories.of(repositoryOf(file)?.root ?? null);
  if (repository === 'not-reported' || (scope === 'project' && repository === null)) return undefined;
  try {
    const { text, bytes } = readConfig(file);
    if (text === null || bytes === null) return { scope, repository, state: 'gone' };
    if (sha256(bytes) === record.installedHash) return { scope, repository, state: 'there' };
    const target = installTarget(places.forwarder, scope, userHome(context));
    const files = agent.installer.configFiles(scope, context.env);
    const config = files.find(({ path }) => file.endsWith(path)) ?? files[0];
    if (agent.installer.installed(text, target, config).length === 0) return { scope, repository, state: 'gone' };
    // A person may change what else stands there: only what is missing of ours counts.
    const again = agent.installer.install(text, target, config);
    return { scope, repository, state: again.ok && again.edit.added.length === 0 ? 'there' : 'changed' };
  } catch {
    return { scope, repository, state: 'unreadable' };
  }
}

async function listHooks({ places, store, reader }: InventoryInput): Promise<TeamInventory['hooks']> {
  const roots: readonly (readonly [string, TeamRepository | null])[] = (await store.sessionPlaces()).flatMap(({ root }) => {
    const repository = reader.repositories.of(root);
    return repository === 'not-reported' || repository === null ? [] : [[root, repository] as const];
  });
  const found = [[places.home, null] as const, ...roots].flatMap(([at, repository]) =>
    hooksAt(places, at)
      .filter(({ scope, builtIn }) => builtIn === undefined && (scope === 'user') === (repository === null))
      .map((hook) => ({
        hook: reader.redactor().text(hook.id),
        scope: hook.scope,
        repository,
        event: hook.event,
        mode: modeOf(hook),
        digest: hookDigest(hook),
      })),
  );
  return found.slice(0, MOST_HOOKS);
}
const MOST_HOOKS = 5000;

type Mode = TeamInventory['hooks'][number]['mode'];
function modeOf({ enabled, shadow, observe, status }: ReturnType<typeof hooksAt>[number]): Mode {
  if (!enabled || (status.kind !== 'ready' && status.kind !== 'changed')) return 'off';
  return shadow === true ? 'shadow' : observe ? 'observe' : 'enforce';
}

/** Those of the user, of every agent that has any. A hash of a token could be guessed from: they are redacted before. */
function mcpServers({ context, reader }: InventoryInput): TeamInventory['mcpServers'] {
  const home = userHome(context);
  return AGENTS.flatMap((agent) => {
    if (agent.mcp === undefined) return [];
    try {
      const { text } = readConfig(lookUp(agent, 'user', home, agent.mcp.configFile(context.env)).target);
      const definitions = text === null ? [] : agent.mcp.definitions(text);
      return definitions.map((one) => ({
        ...{ agent: agent.id, scope: 'user' as const, repository: null },
        hash: `sha256:${createHash('sha256').update(reader.redactor().text(one)).digest('hex')}`,
      }));
    } catch {
      return []; // a file that only doctor can speak about
    }
  });
}

function guardMode(context: Context): TeamInventory['guard']['builtIn'] {
  const { guard } = readSettings(settingsFile(context, 'user')).values;
  return guard === 'ask' || guard === 'off' ? guard : 'deny';
}
