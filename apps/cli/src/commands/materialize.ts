import { realpathSync, rmdirSync } from 'node:fs';
import { resolve } from 'node:path';
import { AGENTS } from '@piton/agents';
import type { Agent } from '@piton/contracts';
import { Command, Option } from 'commander';
import { evidenceOfAgent } from '../agents/under-agent.ts';
import { type Context, printJson, printLine } from '../context.ts';
import { SOME_AGENT, SOME_AGENTS } from '../example-agents.ts';
import { withExamples } from '../examples.ts';
import { Failure } from '../failure.ts';
import { makeDirectories } from '../install/config-file.ts';
import type { InstallScope } from '../install/config-place.ts';
import { userHome } from '../locations.ts';
import { applyFiles } from '../materialize/apply.ts';
import { findArtifact, idOf, lookForArtifact } from '../materialize/artifact.ts';
import { type MaterializeTarget, type Outcome, planHook } from '../materialize/plan.ts';
import { planRemoval } from '../materialize/removal.ts';
import { materializeJson, report } from '../materialize/report.ts';
import { createDuplicateRunLosses } from '../materialize/runs-twice.ts';
import { parseAgentsOption } from '../options/names.ts';
import { sandboxHere } from '../programs.ts';
import { askIfInteractive } from '../question.ts';
import { repositoryRoot } from '../repository.ts';

interface Options {
  readonly agent?: readonly string[];
  readonly all?: boolean;
  readonly out?: string;
  readonly scope: InstallScope;
  readonly remove?: boolean;
  readonly allowMissing?: boolean;
  readonly dryRun?: boolean;
  readonly yes?: boolean;
  readonly json?: boolean;
}

export function materializeCommand(context: Context): Command {
  const collect = (value: string, all: string[] | undefined): string[] => [...(all ?? []), value];
  const command = new Command('materialize')
    .argument('<artifact...>', 'Folder of an artifact, or the ID of one that is active here')
    .option('--agent <names>', 'For these agents, comma-separated. May be repeated', collect)
    .option('--all', 'For every supported agent')
    .addOption(
      new Option('--scope <scope>', 'For everyone who works in this project, or for your user')
        .choices(['project', 'user'])
        .default('project'),
    )
    .option('--out <dir>', 'Write below this directory (default: the project root, or your home with --scope user)')
    .option('--remove', 'Remove the hooks again. Other entries stay')
    .option('--allow-missing', 'Write hooks even if their system_packages are not on PATH')
    .option('--dry-run', 'Show what would be done, with a diff of each file, and change nothing')
    .option('--yes', 'Do not ask')
    .option('--json', 'Print JSON')
    .action((names: string[], options: Options) => run(context, names, options));
  return withExamples(command, [
    `materialize .piton/artifacts/no-rm-rf --agent ${SOME_AGENTS}`,
    `materialize ./log-session-end --agent ${SOME_AGENT} --scope user --dry-run`,
    `materialize no-rm-rf --all --remove`,
  ]);
}

async function run(context: Context, names: readonly string[], options: Options): Promise<void> {
  const removing = options.remove === true;
  if (!options.dryRun) refuseUnderAgent(context);
  const agents = chosenAgents(options);
  const base = options.out === undefined ? defaultBase(context, options.scope) : resolve(context.cwd, options.out);
  const made = makeDirectories(base, 0o755);
  const target = targetOf(context, options, realpathSync(base));
  const outcomes = removing ? planRemovals(context, names, agents, target) : planAll(context, names, agents, target);
  if (outcomes.some(({ refused }) => refused !== undefined)) context.exit.code = 1;
  if (options.dryRun) {
    for (const directory of made.reverse()) rmdirSync(directory);
    return printOutcomes(context, outcomes, options, 'dry-run');
  }
  const files = outcomes.flatMap((outcome) => outcome.files);
  if (files.length > 0 && !options.yes && !options.json && context.interactive) {
    report(context, outcomes, removing, 'plan');
    if (!(await askIfInteractive(context, 'Continue?'))) return printLine(context, 'Nothing was changed.');
  }
  applyFiles(files, target.base, target.scope);
  printOutcomes(context, outcomes, options, 'done');
}

/** What is written runs at once, and what is removed no longer guards: only a person may do either. */
function refuseUnderAgent(context: Context): void {
  const evidence = evidenceOfAgent(context.env);
  if (evidence)
    throw new Failure(`writing or removing hooks is not allowed under an agent (${evidence})`, {
      remedy: 'run it in your own terminal, or use --dry-run. In tests and CI set PITON_ALLOW_UNDER_AGENT=1',
    });
}

function printOutcomes(context: Context, outcomes: readonly Outcome[], options: Options, phase: 'dry-run' | 'done'): void {
  const removing = options.remove === true;
  if (options.json) return printJson(context, materializeJson(outcomes, removing, phase === 'dry-run'));
  report(context, outcomes, removing, phase);
}

function chosenAgents({ agent = [], all }: Options): readonly Agent[] {
  if (all && agent.length > 0) throw new Failure('--all and --agent cannot be combined', { usage: true });
  if (all) return AGENTS;
  if (agent.length > 0) return parseAgentsOption(agent);
  throw new Failure('no agent named', { remedy: `use --agent ${AGENTS.map(({ id }) => id).join(',')}, or --all`, usage: true });
}

function targetOf(context: Context, { scope, out, allowMissing }: Options, base: string): MaterializeTarget {
  return {
    scope,
    base,
    // Variables that relocate an agent's configuration apply to this machine, not to the directory in --out.
    env: out === undefined ? context.env : {},
    path: context.env.PATH,
    sandbox: sandboxHere(context),
    platform: process.platform,
    allowMissing: allowMissing === true,
  };
}

function defaultBase(context: Context, scope: InstallScope): string {
  if (scope === 'user') return userHome(context);
  const root = repositoryRoot(context);
  if (root !== undefined) return root;
  throw new Failure('not in a git repository', {
    where: context.cwd,
    remedy: 'run it in a repository, or use --out <dir> or --scope user',
  });
}

function planAll(context: Context, names: readonly string[], agents: readonly Agent[], target: MaterializeTarget): Outcome[] {
  const artifacts = names.map((name) => findArtifact(context, name));
  const same = artifacts.find(({ id }, at) => artifacts.findIndex((other) => other.id === id) !== at);
  if (same !== undefined)
    throw new Failure(`two of these artifacts are named ${JSON.stringify(same.name)}`, {
      where: same.folder,
      remedy: 'change the "name" of one',
    });
  const written = new Map<string, Buffer | null>();
  const twice = createDuplicateRunLosses(context);
  return artifacts.flatMap((artifact) =>
    agents.map((agent) => {
      const outcome = planHook(artifact, agent, target, written);
      return outcome.refused ? outcome : { ...outcome, losses: [...twice(artifact, agent), ...outcome.losses] };
    }),
  );
}

/** The artifact may be gone already: its name is enough. */
function planRemovals(context: Context, names: readonly string[], agents: readonly Agent[], target: MaterializeTarget): Outcome[] {
  const written = new Map<string, Buffer | null>();
  return names.flatMap((name) => {
    const found = lookForArtifact(context, name);
    const id = found?.id ?? idOf(name.replace(/\/+$/, '').split(/[/:]/).at(-1) ?? name);
    return agents.map((agent) => planRemoval(found?.name ?? id, id, agent, target, written));
  });
}
