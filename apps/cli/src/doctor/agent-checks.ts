import { AGENTS, versionClass } from '@piton/agents';
import type { Agent } from '@piton/contracts';
import { shellWord } from '@piton/contracts';
import { Failure } from '../failure.ts';
import { type AgentPlan, applyAgent, installedAt, planAgent } from '../install/agent-plan.ts';
import { agentTitle } from '../install/agent-title.ts';
import { makeExecutable } from '../install/config-file.ts';
import { type InstallScope, whereOf } from '../install/config-place.ts';
import { detectAgents, programOf } from '../install/detect.ts';
import { installTarget, lacksExecution } from '../install/edit.ts';
import { remedyOf } from '../install/init/report.ts';
import { initFor, levelOf } from '../install/levels.ts';
import { type Needs, nativeNames, needsHere } from '../install/needed-events.ts';
import { otherHome } from '../install/other-home.ts';
import { allRecords, recordsOf } from '../install/records.ts';
import { plural } from '../output/text.ts';
import { judgeRunning } from '../readiness/readiness.ts';
import { type InstalledVersion, installedVersions } from '../versions/installed-version.ts';
import { titleWithVersion, versionNote } from '../versions/version-report.ts';
import { type Check, type CheckInput, type Finding, note, problem } from './finding.ts';

export const agentsCheck: Check = async (input) => {
  const here = new Set(detectAgents(input.home, input.context.env));
  const needs = needsHere(input.context, input.places);
  const versions = await installedVersions(input.context, AGENTS);
  const found: Finding[] = [];
  for (const agent of AGENTS) found.push(...(await checkAgent(input, agent, here.has(agent), needs, versions.get(agent.id))));
  return found;
};

async function checkAgent(
  input: CheckInput,
  agent: Agent,
  here: boolean,
  needs: Needs,
  version: InstalledVersion | undefined,
): Promise<Finding[]> {
  const found: Finding[] = [];
  const levels: AgentPlan[] = [];
  for (const scope of ['user', 'project'] as const) {
    try {
      const files = levelOf(input.context, agent, scope, input.home);
      if (!files) continue;
      // Plan even if nothing is installed: a file that cannot be edited is worth knowing before the next `init`.
      const plan = planAgent(files, targetOf(input, scope, nativeNames(needs(agent, scope)), version?.version ?? null));
      if (installedAt(files, plan.target).length === 0) continue;
      levels.push(plan);
      found.push(...checkLevel(input, plan, version?.version ?? null), ...checkExecution(plan), ...(await checkReadiness(input, plan)));
    } catch (error) {
      if (!(error instanceof Failure)) throw error;
      const kind = recordsOf(input.places, agent.id, scope).length > 0 ? problem : note;
      found.push(
        kind('agent.config', {
          what: error.message,
          ...(error.where && { where: error.where }),
          remedy: error.remedy ?? 'fix it by hand',
        }),
      );
    }
  }
  if (levels.length > 0) found.push(...checkVersion(agent, version));
  if (levels.length > 1) {
    found.push(
      problem('agent.twice', {
        what: `${agent.title} has Piton registered at both user and project level, so events may fire twice`,
        where: levels.map(({ places }) => whereOf(places)).join(', '),
        remedy: 'run `piton uninstall` or `piton uninstall --project`',
      }),
    );
  }
  if (levels.length === 0 && found.length === 0) found.push(...checkAbsence(input, agent, here));
  return found;
}

const targetOf = ({ places, home }: CheckInput, scope: InstallScope, wanted: readonly string[], version: string | null) =>
  installTarget(places.forwarder, scope, home, wanted, version);

/** Nothing to say of the proven one. One that is too old may run without any hook. */
function checkVersion(agent: Agent, here: InstalledVersion | undefined): Finding[] {
  const what = versionNote(agent, here);
  if (what === undefined) return [];
  const tooOld = versionClass(agent, here?.version ?? null) === 'too old';
  const kind = tooOld ? problem : note;
  return [
    kind('agent.version', {
      what,
      ...(here && { where: here.program }),
      remedy: tooOld ? `update ${agent.title}, then run ${initFor(agent, 'user')}` : 'nothing to do: piton status shows whether it arrives',
    }),
  ];
}

function checkLevel(input: CheckInput, plan: AgentPlan, version: string | null): Finding[] {
  if (!plan.changes) return [];
  const title = titleWithVersion(plan.agent.title, version);
  const { target } = plan;
  const where = whereOf(plan.places);
  const elsewhere = installedAt(plan.places, target).flatMap((each) => otherHome(each, target) ?? [])[0];
  const what = elsewhere
    ? `${title} is registered for another Piton home: ${elsewhere}`
    : plan.added.length > 0 && plan.removed.length === 0
      ? `${title} is missing ${plural(plan.added.length, 'registration')}: ${plan.added.map((each) => each.nativeEvent).join(', ')}`
      : `${title} has outdated registrations`;
  const remedy = initFor(plan.agent, plan.scope);
  const fix = (): string => {
    applyAgent(input.places, plan);
    return `registered in ${where}`;
  };
  // Only a person knows which of the two homes is the right one.
  if (elsewhere)
    return [problem('agent.elsewhere', { what, where, remedy: `set PITON_HOME as it was then, or register it here: ${remedy}` })];
  const edited = plan.edits.find(({ aside }) => aside !== undefined);
  if (edited !== undefined && plan.added.length === 0 && plan.removed.length === 0)
    return [
      note('agent.edited', {
        what: `${title}: somebody has edited the file in which Piton is registered. Piton replaces and removes it as a whole, and keeps it as ${edited.aside}`,
        where: edited.place.path,
        remedy: `put what is yours into a file of its own, then run ${remedy}`,
      }),
    ];
  // A surplus registration costs a process per event, but breaks nothing.
  if (plan.added.length === 0)
    return [
      note('agent.surplus', {
        what: `${title} has ${plural(plan.removed.length, 'registration')} that are no longer needed: ${plan.removed.map((each) => each.nativeEvent).join(', ')}`,
        where,
        remedy,
        fix,
      }),
    ];
  return [problem('agent.registrations', { what, where, remedy, fix })];
}

/** Registrations that the agent will not run. `--fix` asks nothing, so it does not grant trust. */
async function checkReadiness({ context, home }: CheckInput, { agent, scope, places, target }: AgentPlan): Promise<Finding[]> {
  const verdict = await judgeRunning(context, agent, scope, home, installedAt(places, target));
  if (verdict.runs) return [];
  return [
    problem('agent.readiness', {
      what: `${agent.title} is registered, but will not run Piton: ${verdict.why}`,
      where: whereOf(places),
      remedy: remedyOf(context, agent.id, scope, verdict),
    }),
  ];
}

/** An agent that runs our file directly skips one that is not executable. */
function checkExecution({ agent, places }: AgentPlan): Finding[] {
  return places.filter(lacksExecution).map((place) =>
    problem('agent.executable', {
      what: `${agent.title} cannot execute the registered command`,
      where: place.path,
      remedy: `chmod +x ${shellWord(place.path)}`,
      fix: () => {
        makeExecutable(place.target);
        return `made ${place.path} executable`;
      },
    }),
  );
}

/** The registration was removed by somebody else, or the agent was installed after Piton. */
function checkAbsence(input: CheckInput, agent: Agent, here: boolean): Finding[] {
  const record = recordsOf(input.places, agent.id, 'user')[0];
  if (record)
    return [
      problem('agent.lost', {
        what: `${agent.title} lost its Piton registration`,
        where: record.file,
        remedy: `piton init --agent ${agent.id}`,
      }),
    ];
  const elsewhere = allRecords(input.places).some((each) => each.agent === agent.id);
  return here && !elsewhere
    ? [
        note('agent.new', {
          what: `${agentTitle(agent)} ${programOf(agent, input.context.env) === undefined ? 'has settings here, though its program is not on your PATH. Piton is not registered with it' : 'is installed, but Piton is not registered with it'}`,
          remedy: initFor(agent, 'user'),
        }),
      ]
    : [];
}
