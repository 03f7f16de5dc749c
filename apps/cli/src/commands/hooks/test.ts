import { dirname, resolve } from 'node:path';
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
import { changed, stampOf } from '../../bench/watch.ts';
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
  readonly command?: string;
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
    .option('--command <line>', 'on this shell command, as each agent would tell of it')
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
    'hooks test no-rm-rf --command "rm -rf ~"',
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
    if (options.watch) await rounds(context, ref, options, interruption.signal);
    else await once(context, ref, options, interruption.signal);
  } finally {
    interruption.release();
  }
  // To end the watching is what Ctrl-C is for; to cut a run short is not.
  const code = interruption.exitCode();
  if (code !== undefined) context.exit.code = options.watch ? 0 : code;
}

/** Until Ctrl-C. What cannot be read or does not fit is being written just now. */
async function rounds(context: Context, ref: string, options: Options, signal: AbortSignal): Promise<void> {
  let restless = false;
  while (!signal.aborted) {
    const paths = watchedPaths(context, ref, options);
    const before = stampOf(paths);
    try {
      await once(context, ref, options, signal);
    } catch (error) {
      if (!(error instanceof Failure) || error.code === 2) throw error;
      say(context, `${context.paint('red', '✗')} ${error.message}${error.where ? `\n    ${error.where}` : ''}`);
    }
    if (signal.aborted) return;
    const after = stampOf(paths);
    // Saved meanwhile; but a hook that writes beside itself would never come to rest.
    restless = after !== before && !restless;
    if (!restless) {
      say(context, context.paint('dim', '\nWaiting for a change. Ctrl-C ends it.'));
      await changed(paths, after, signal);
    }
    if (!signal.aborted) say(context);
  }
}

function watchedPaths(context: Context, ref: string, options: Options): readonly string[] {
  try {
    const hook = findHook(context, ref, wishedEvent(options.event));
    const cases = options.case === undefined ? caseFolders(hookPlaces(context).config, hook) : [options.case];
    return [hook.folder ?? hook.source, ...(hook.module === undefined ? [] : [dirname(hook.module)]), ...cases];
  } catch {
    return [resolve(context.cwd, ref.split('#')[0] as string)];
  }
}

async function once(context: Context, ref: string, options: Options, signal: AbortSignal): Promise<void> {
  const hook = findHook(context, ref, wishedEvent(options.event));
  const cases =
    options.case === undefined ? (options.command === undefined ? ownCases(hookPlaces(context).config, hook) : []) : casesAt(options.case);
  const all: Tested[] = [];
  const wish = {
    ...{ hook: asEnforced(hook), agents: wishedAgents(options.agent), cases, signal, command: options.command },
    ...{ payloads: options.case === undefined, every: options.all === true, here: options.here === true },
  };
  if (!options.json) introduce(context, hook);
  await runTest(context, wish, (one) => {
    all.push(one);
    if (!options.json) context.out(describeTested(context, one));
  });
  if (signal.aborted) return;
  if (all.every(({ of }) => of === 'none'))
    throw new Failure(`nothing here fits ${hook.name}`, {
      where: hook.source,
      remedy: 'write a case for it, or give --command or another --event',
    });
  if (all.some(isFailed)) context.exit.code = 1;
  if (options.json) printJson(context, { hook: hook.id, event: hook.event, source: hook.source, results: all.map(testedJson) });
  else say(context, `\n${summary(all, cases)}`);
}

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
    const choice = fittingPayloads(agent, payloadsOf(agent), hook, { work: context.cwd, every: false, command: options.command });
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
