import { dirname } from 'node:path';
import { portablePayload } from '@piton/contracts';
import type { HookDefinition } from '@piton/hooks';
import { Command } from 'commander';
import { caseFolders, casesAt, type FiledCase, ownCases } from '../../bench/cases.ts';
import { fittingPayloads } from '../../bench/fitting.ts';
import { asEnforced, findHook } from '../../bench/hook-under-test.ts';
import { openPayloads } from '../../bench/payloads.ts';
import { describeTested, isFailed, type Tested, testedJson } from '../../bench/test-report.ts';
import { runTest } from '../../bench/test-run.ts';
import { look } from '../../bench/trial.ts';
import { changed } from '../../bench/watch.ts';
import { wishedAgents, wishedEvent } from '../../bench/wishes.ts';
import { type Context, printJson, say } from '../../context.ts';
import { catchSignals } from '../../demo/interruption.ts';
import { SOME_AGENT, withExamples } from '../../examples.ts';
import { Failure } from '../../failure.ts';
import { hookPlaces } from '../../locations.ts';
import { plural } from '../../output/text.ts';

interface Options {
  readonly event?: string;
  readonly agent?: string;
  readonly all?: boolean;
  readonly case?: string;
  readonly watch?: boolean;
  readonly here?: boolean;
  readonly printPayload?: boolean;
  readonly native?: boolean;
  readonly json?: boolean;
}

export function hooksTestCommand(context: Context): Command {
  const command = new Command('test')
    .description('run a hook without an agent: on payloads that agents really sent, and on its own cases')
    .argument('<hook>', 'its id or name, or the path of an executable, an artifact or settings.json#name')
    .option('--event <name>', 'run it on this event; an executable by its path needs it')
    .option('--agent <names>', 'only these agents, with commas between')
    .option('--all', 'every payload of every agent that fits, not one of each tool')
    .option('--case <path>', 'only the cases in this file or folder')
    .option('--watch', 'again whenever a file of the hook changes, until Ctrl-C')
    .option('--here', 'in this directory instead of a repository made for it')
    .option('--print-payload', 'print what the hook would read, and run nothing')
    .option('--native', 'with --print-payload: what the agent sends')
    .option('--json', 'as JSON')
    .action((ref: string, options: Options) => run(context, ref, options));
  return withExamples(command, [
    'hooks test no-rm-rf',
    `hooks test no-rm-rf --agent ${SOME_AGENT} --watch`,
    'hooks test ./guard.sh --event pre_tool_use',
    'hooks test no-rm-rf --case tests/rm.json',
    'hooks test no-rm-rf --print-payload | jq .tool_input',
  ]);
}

async function run(context: Context, ref: string, options: Options): Promise<void> {
  if (options.watch && (options.json || options.printPayload))
    throw new Failure('--watch is for people: it goes with neither --json nor --print-payload', { usage: true });
  if (options.printPayload) return printPayload(context, asEnforced(findHook(context, ref, wishedEvent(options.event))), options);
  const interruption = catchSignals();
  try {
    do {
      const files = await once(context, ref, options, interruption.signal);
      if (!options.watch) break;
      say(context, context.paint('dim', '\nWaiting for a change. Ctrl-C ends it.'));
      await changed(files, interruption.signal);
      if (!interruption.signal.aborted) say(context);
    } while (!interruption.signal.aborted);
  } finally {
    interruption.release();
  }
  // To end the watching is what Ctrl-C is for; to cut a run short is not.
  const code = interruption.exitCode();
  if (code !== undefined) context.exit.code = options.watch ? 0 : code;
}

/** One round; the files that a next one waits for. */
async function once(context: Context, ref: string, options: Options, signal: AbortSignal): Promise<readonly string[]> {
  const hook = await found(context, ref, options);
  if (hook === undefined) return [ref];
  const { config } = hookPlaces(context);
  const cases = options.case === undefined ? ownCases(config, hook) : casesAt(options.case);
  const all: Tested[] = [];
  const wish = {
    ...{ hook: asEnforced(hook), agents: wishedAgents(options.agent), cases, signal },
    ...{ payloads: options.case === undefined, every: options.all === true, here: options.here === true },
  };
  if (!options.json) introduce(context, hook);
  await runTest(context, wish, (one) => {
    all.push(one);
    if (!options.json) context.out(describeTested(context, one));
  });
  if (all.every(({ of }) => of === 'none'))
    throw new Failure(`nothing here fits ${hook.name}`, { where: hook.source, remedy: 'write a case for it, or give another --event' });
  if (all.some(isFailed)) context.exit.code = 1;
  else if (options.watch) context.exit.code = 0;
  if (options.json) printJson(context, { hook: hook.id, event: hook.event, source: hook.source, results: all.map(testedJson) });
  else say(context, `\n${summary(all, cases)}`);
  return [hook.folder ?? hook.source, ...(hook.module === undefined ? [] : [dirname(hook.module)]), ...watchedCases(options, config, hook)];
}

/** Under `--watch` a hook that cannot be read is being written just now. */
async function found(context: Context, ref: string, options: Options): Promise<HookDefinition | undefined> {
  try {
    return findHook(context, ref, wishedEvent(options.event));
  } catch (error) {
    if (!options.watch || !(error instanceof Failure) || error.code === 2) throw error;
    say(context, `${context.paint('red', '✗')} ${error.message}`);
    return undefined;
  }
}

const watchedCases = (options: Options, config: string, hook: HookDefinition): string[] =>
  options.case === undefined ? caseFolders(config, hook) : [options.case];

function introduce(context: Context, hook: HookDefinition): void {
  const matcher = hook.matcher === '' ? '' : `, matcher ${hook.matcher}`;
  say(
    context,
    `${context.paint('bold', hook.id)}  on ${hook.event}${matcher}${hook.sandbox === undefined ? '' : `, sandbox ${hook.sandbox}`}`,
  );
  if (hook.shadow) say(context, context.paint('dim', 'It is on trial (mode: shadow): this is what it would say if it were enforced.'));
  if (hook.status.kind === 'not-trusted' || hook.status.kind === 'changed')
    say(context, context.paint('dim', 'What lies in the project now is run; agents run only what was trusted.'));
}

function summary(all: readonly Tested[], cases: readonly FiledCase[]): string {
  const failed = all.filter(isFailed).length;
  const ran = all.filter(({ of }) => of !== 'none');
  const agents = new Set(ran.map(({ agent }) => agent)).size;
  const words = `${plural(ran.length, 'run')} in ${plural(agents, 'agent')}, ${plural(cases.length, 'case')}`;
  return failed === 0 ? `${words}: nothing failed` : `${words}: ${failed} failed`;
}

/** Of the first payload that fits, of each agent that was asked for; one agent is enough where nobody was named. */
function printPayload(context: Context, hook: HookDefinition, options: Options): void {
  const payloadsOf = openPayloads(context, context.cwd);
  const agents = wishedAgents(options.agent);
  const printed = agents.flatMap((agent) => {
    const choice = fittingPayloads(agent, payloadsOf(agent), hook, context.cwd, false);
    if ('none' in choice) return [];
    const [{ occasion }] = choice.fits;
    const { event } = look(occasion, hook);
    const told = { eventId: 'EVENT', repo: context.cwd, branch: 'main', transcriptFormat: agent.transcript?.name ?? null };
    return [options.native ? event.raw : portablePayload(event, hook.event, told)];
  });
  const some = options.agent === undefined && !options.all ? printed.slice(0, 1) : printed;
  if (some.length === 0) throw new Failure(`no recorded payload fits ${hook.name}`, { remedy: 'give another --event or --agent' });
  for (const payload of some) printJson(context, payload);
}
