import { isWrittenByPiton, type VersionClass } from '@piton/agents';
import type { Agent, Installed, InstallTarget, RunVerdict } from '@piton/contracts';
import type { Places } from '@piton/contracts/places';
import { withCommandName } from '../command-name.ts';
import type { Context } from '../context.ts';
import { Failure } from '../failure.ts';
import { installedAt, planAgent } from '../install/agent-plan.ts';
import { agentTitle } from '../install/agent-title.ts';
import { type ConfigPlaces, type InstallScope, whereOf } from '../install/config-place.ts';
import { installTarget } from '../install/edit.ts';
import { remedyOf, verdictJson } from '../install/init/report.ts';
import { initFor, levelOf } from '../install/levels.ts';
import { type Need, type Needs, nativeNames } from '../install/needed-events.ts';
import { otherHome } from '../install/other-home.ts';
import { recordsOf } from '../install/records.ts';
import { type AsRun, type Canary, sendCanary } from '../readiness/canary.ts';
import { judgeRunning } from '../readiness/readiness.ts';
import { installedVersion } from '../versions/installed-version.ts';
import { titleWithVersion, versionJson, versionNote } from '../versions/version-report.ts';

type NotRunning = Extract<RunVerdict, { runs: false }>;

export interface AgentStatus {
  readonly agent: string;
  readonly title: string;
  readonly scope: InstallScope;
  readonly file: string;
  readonly registrations: number;
  readonly program: string | null;
  /** The version that is installed; null if there is none, or nothing tells it. */
  readonly version: string | null;
  readonly versionClass: VersionClass;
  /** Has a real run proven it? */
  readonly proven: boolean;
  /** Registered does not mean it runs: an agent may require its own trust first. */
  readonly runs: Readonly<Record<string, unknown>>;
  readonly notes: readonly string[];
  readonly canaries: readonly { readonly event: string; readonly canary: Canary }[];
  readonly ok: boolean;
}

interface StatusOptions {
  readonly all: boolean;
  readonly server: boolean;
  readonly needs: Needs;
}

/** One entry per level at which the agent has Piton. */
export async function readAgentStatus(
  context: Context,
  places: Places,
  agent: Agent,
  home: string,
  options: StatusOptions,
): Promise<AgentStatus[]> {
  const found: AgentStatus[] = [];
  const here = await installedVersion(context, agent);
  const program = here?.program ?? null;
  const { version, versionClass } = versionJson(agent, here);
  for (const scope of ['user', 'project'] as const) {
    const needs = options.needs(agent, scope);
    const level = readLevel(context, places, agent, scope, home, nativeNames(needs), version);
    if (!level) continue;
    if ('broken' in level) {
      found.push({
        ...identity(agent, scope),
        file: level.where,
        registrations: 0,
        ...{ program, version, versionClass },
        runs: { runs: false, why: level.broken },
        notes: [level.broken],
        canaries: [],
        ok: false,
      });
      continue;
    }
    if (level.installed.length === 0) continue;
    const elsewhere = level.installed.flatMap((each) => otherHome(each, level.target) ?? [])[0];
    const chosen = elsewhere ? [] : options.all ? level.installed : [representative(agent, level.installed)];
    // A repository can carry a line with more in it: it is not run to try it.
    const [tried, odd] = [true, false].map((is) => chosen.filter((each) => isWrittenByPiton(each, level.target) === is)) as [
      Installed[],
      Installed[],
    ];
    const canaries: { event: string; canary: Canary }[] = [];
    for (const installed of options.server ? tried : []) {
      canaries.push({
        event: installed.registration.nativeEvent,
        canary: await sendCanary(places, asRun(agent, installed, level.installed, version), context),
      });
    }
    const verdict = await judgeRunning(context, agent, scope, home, level.installed);
    const missing = needs.filter(({ nativeEvent }) => level.added.includes(nativeEvent));
    found.push({
      ...identity(agent, scope),
      file: whereOf(level.files),
      registrations: level.installed.length,
      ...{ program, version, versionClass },
      runs: verdictJson(verdict),
      notes: [
        ...(verdict.runs ? (verdict.note === undefined ? [] : [verdict.note]) : notRunning(context, agent, scope, verdict)),
        ...missing.map(({ nativeEvent, hook }) =>
          withCommandName(context, `${nativeEvent} is not registered, but ${hook} needs it: ${initFor(agent, scope)}`),
        ),
        ...odd.map(({ registration }) =>
          withCommandName(
            context,
            `the line of ${registration.nativeEvent} is not as Piton writes it, so it was not tried: ${initFor(agent, scope)}`,
          ),
        ),
        ...(unfit(level.added, missing) && !elsewhere
          ? [withCommandName(context, `not as ${titleWithVersion(agent.title, version)} would take it: ${initFor(agent, scope)}`)]
          : []),
        ...[versionNote(agent, here) ?? []].flat(),
        ...(elsewhere ? [`registered for another Piton home: ${elsewhere}`] : []),
        ...(program ? [] : [`not on PATH. Piton runs once ${agent.title} is installed`]),
      ],
      canaries,
      ok: verdict.runs && missing.length === 0 && odd.length === 0 && canaries.length > 0 && canaries.every(({ canary }) => canary.arrived),
    });
  }
  return found.length > 1 ? found.map(atBothLevels) : found;
}

const identity = (agent: Agent, scope: InstallScope) => ({
  agent: agent.id,
  title: agentTitle(agent),
  proven: agent.provenVersion !== null,
  scope,
});

const notRunning = (context: Context, agent: Agent, scope: InstallScope, verdict: NotRunning): string[] => [
  `registered, but ${agent.title} will not run it: ${verdict.why}`,
  `fix: ${remedyOf(context, agent.id, scope, verdict)}`,
];

/** A file that cannot be read may or may not contain registrations: only known ones count. */
function atBothLevels(status: AgentStatus, _: number, all: readonly AgentStatus[]): AgentStatus {
  if (all.some(({ registrations }) => registrations === 0)) return status;
  return { ...status, ok: false, notes: [...status.notes, 'registered at both levels: events may fire twice'] };
}

type Level =
  | {
      readonly files: ConfigPlaces;
      readonly target: InstallTarget;
      readonly installed: readonly Installed[];
      readonly added: readonly string[];
    }
  | { readonly broken: string; readonly where: string };

function readLevel(
  context: Context,
  places: Places,
  agent: Agent,
  scope: InstallScope,
  home: string,
  needed: readonly string[],
  version: string | null,
): Level | undefined {
  try {
    const files = levelOf(context, agent, scope, home);
    if (!files) return undefined;
    const target = installTarget(places.forwarder, scope, home, needed, version);
    const { added } = planAgent(files, target); // fails with the reason if a file cannot be read
    return { files, target, installed: installedAt(files, target), added: added.map(({ nativeEvent }) => nativeEvent) };
  } catch (error) {
    if (!(error instanceof Failure)) throw error;
    // If Piton was never registered with this agent, its file does not keep events from arriving.
    return recordsOf(places, agent.id, scope).length > 0 ? { broken: error.message, where: error.where ?? home } : undefined;
  }
}

/** Registrations that the installed version would take, and that are missing or another form of. */
const unfit = (added: readonly string[], missing: readonly Need[]): boolean =>
  added.some((name) => !missing.some(({ nativeEvent }) => nativeEvent === name));

/** As the agent runs it: an older one makes something else of what stands in its file. */
const asRun = (agent: Agent, one: Installed, all: readonly Installed[], version: string | null): AsRun =>
  (version === null ? undefined : agent.installer.asRun?.(one, all, version)) ?? one.command;

/** The most important event: the one before a tool runs, or else the first. */
function representative(agent: Agent, installed: readonly Installed[]): Installed {
  const native = new Set(agent.events.filter(({ event }) => event === 'pre_tool_use').map(({ name }) => name));
  return (installed.find(({ registration }) => native.has(registration.nativeEvent)) ?? installed[0]) as Installed;
}
