import { dirname, join } from 'node:path';
import { AGENTS } from '@piton/agents';
import type { Agent, McpEdit, McpInstaller } from '@piton/contracts';
import type { Places } from '@piton/contracts/places';
import type { Context } from '../context.ts';
import { Failure } from '../failure.ts';
import { type Change, fileChange } from '../install/change.ts';
import { readConfig, removeConfig, writeConfig } from '../install/config-file.ts';
import { type ConfigPlace, lookUp } from '../install/config-place.ts';
import { agentFailure, attempt, type FailedAgent } from '../install/failed-agent.ts';
import { dropOther, otherRecords, sha256, writeOther } from '../install/records.ts';
import { futureForwarder, userHome } from '../locations.ts';
import { LAUNCHER_NAME } from '../runtime/launcher.ts';

/** The change to the file of one agent in which its MCP servers stand. */
export interface McpPlan {
  readonly agent: Agent;
  readonly place: ConfigPlace;
  readonly bytes: Buffer | null;
  /** Null is no file. */
  readonly text: string | null;
  readonly changes: boolean;
  /** The file will be, byte for byte, what it was before. */
  readonly exact: boolean;
}

export const agentsWithMcp = (): Agent[] => AGENTS.filter(({ mcp }) => mcp !== undefined);

/** The path of the command through `runtime/current`, which stays when Piton is upgraded. */
const commandOf = (context: Context): string => join(dirname(futureForwarder(context)), LAUNCHER_NAME);

export function planMcpInstall(context: Context, agent: Agent): McpPlan {
  const { mcp, place } = placeOf(context, agent);
  const { text, bytes } = readConfig(place.target);
  const server = { command: commandOf(context), args: ['mcp', '--agent', agent.id] };
  const edit = edited(place, mcp.install(text, server));
  return { agent, place, bytes, text: edit.text, changes: edit.text !== text, exact: false };
}

/** `restored`: what the file will hold by then, if another step of `uninstall` changes it too. */
export function planMcpRemoval(context: Context, places: Places | undefined, agent: Agent, restored?: Buffer): McpPlan {
  const { mcp, place } = placeOf(context, agent);
  const disk = readConfig(place.target);
  const bytes = restored ?? disk.bytes;
  const nothing = { agent, place, bytes: disk.bytes, text: bytes?.toString('utf8') ?? null, changes: false, exact: false };
  if (bytes === null) return nothing;
  const record = places && recordOf(places, place);
  if (record && sha256(bytes) === record.installedHash) {
    const text = record.original === null ? null : Buffer.from(record.original, 'base64').toString('utf8');
    return { ...nothing, text, changes: true, exact: true };
  }
  const { text } = edited(place, mcp.uninstall(bytes.toString('utf8')));
  return { ...nothing, text, changes: text !== nothing.text };
}

/** All agents that have our server. One whose file cannot be read is reported if it had one. */
export function planMcpRemovals(
  context: Context,
  places: Places | undefined,
  failed: FailedAgent[],
  restored: ReadonlyMap<string, Buffer> = new Map(),
): McpPlan[] {
  const known = new Set(places ? otherRecords(places, 'mcp').map(({ agent }) => agent) : []);
  return agentsWithMcp().flatMap((agent) => {
    const problems: FailedAgent[] = [];
    const plan = attempt(agent, problems, () => planMcpRemoval(context, places, agent, restoredOf(context, agent, restored)));
    if (known.has(agent.id)) failed.push(...problems);
    return plan?.changes ? [plan] : [];
  });
}

const restoredOf = (context: Context, agent: Agent, restored: ReadonlyMap<string, Buffer>): Buffer | undefined =>
  restored.size === 0 ? undefined : restored.get(placeOf(context, agent).place.target);

export function applyMcpInstall(places: Places, plan: McpPlan): void {
  const { agent, place, bytes, text } = plan;
  if (!plan.changes || text === null) return;
  const madeDirectories = writeConfig(place.target, text, bytes, { file: 0o600, directory: 0o700 });
  const record = {
    ...{ agent: agent.id, scope: 'user' as const, file: place.target, original: bytes?.toString('base64') ?? null },
    ...{ installedHash: sha256(text), madeDirectories, at: new Date().toISOString() },
  };
  writeOther(places, 'mcp', record, bytes);
}

export function applyMcpRemoval(places: Places | undefined, { place, bytes, text, changes }: McpPlan): 'removed' {
  const record = places && recordOf(places, place);
  if (changes && text === null) removeConfig(place.target, record?.madeDirectories ?? []);
  else if (changes && text !== null) writeConfig(place.target, text, bytes, { file: 0o600, directory: 0o700 });
  if (places) dropMcpRecord(places, place);
  return 'removed';
}

export const dropMcpRecord = (places: Places, { agent, scope, target }: ConfigPlace): void =>
  dropOther(places, 'mcp', { agent: agent.id, scope, file: target });

export const mcpChange = ({ place, bytes, text, exact }: McpPlan, what: 'added' | 'removed'): Change =>
  fileChange(
    place.target,
    bytes,
    text,
    `${place.agent.title}: MCP server piton ${what}${exact ? ', restored byte for byte' : ''}`,
    bytes === null ? 0o600 : undefined,
  );

/** Whether the agent has our server now. */
export function hasServer(context: Context, agent: Agent): boolean {
  const { mcp, place } = placeOf(context, agent);
  const { text } = readConfig(place.target);
  return text !== null && mcp.installed(text) !== null;
}

function placeOf(context: Context, agent: Agent): { readonly mcp: McpInstaller; readonly place: ConfigPlace } {
  const { mcp } = agent;
  if (mcp === undefined) throw new Failure(`${agent.title} takes no MCP server that Piton can register`);
  return { mcp, place: lookUp(agent, 'user', userHome(context), mcp.configFile(context.env)) };
}

const recordOf = (places: Places, { agent, target }: ConfigPlace) =>
  otherRecords(places, 'mcp').find((record) => record.agent === agent.id && record.file === target);

function edited(place: ConfigPlace, result: McpEdit): Extract<McpEdit, { ok: true }> {
  if (result.ok) return result;
  throw agentFailure(place.agent, new Failure(result.error, { where: place.path }), 'fix the file by hand. It was not changed');
}
