import { dirname, resolve } from 'node:path';
import { portablePayload } from '@piton/contracts';
import type { HookDefinition } from '@piton/hooks';
import { Command } from 'commander';
import { type Context, printJson, printLine } from '../../context.ts';
import { SOME_AGENT } from '../../example-agents.ts';
import { withExamples } from '../../examples.ts';
import { Failure } from '../../failure.ts';
import { matchingPayloads } from '../../hook-tests/backtest/matching-payloads.ts';
import { type CaseFile, caseFolders, casesAt, hookCases } from '../../hook-tests/cases.ts';
import { asEnforced, findHook } from '../../hook-tests/hook-under-test.ts';
import { choosePayload, readPayloadFile } from '../../hook-tests/payload-file.ts';
import { openPayloads } from '../../hook-tests/payloads.ts';
import { describeTested, isFailed, type Tested, testedJson } from '../../hook-tests/test-report.ts';
import { runTest } from '../../hook-tests/test-run.ts';
import { preview } from '../../hook-tests/trial.ts';
import { stampOf, waitForChange } from '../../hook-tests/watch.ts';
import { catchSignals } from '../../interruption.ts';
import { hookPlaces } from '../../locations.ts';
import { agentsOrAll, parseEventOption } from '../../options/names.ts';
import { plural } from '../../output/text.ts';

interface Options {
  readonly event?: string;
  readonly agent?: string;
  readonly all?: boolean;
  readonly command?: string;
  readonly case?: string;
  readonly file?: string;
  readonly watch?: boolean;
  readonly here?: boolean;
  readonly printPayload?: boolean;
  readonly native?: boolean;
  readonly json?: boolean;
}

export function hooksTestCommand(context: Context): Command {
  const command = new Command('test')
    .argument('<hook>', 'Hook ID or name, or the path of an executable, an artifact or settings.json#name')
    .option('--event <name>', 'Run it on this event. Required for an executable given by path')
    .option('--agent <names>', 'Only these agents, comma-separated')
    .option('--all', 'Use every matching payload, not one per tool')
    .option('--command <line>', 'Test this shell command, as each agent would report it')
    .option('--case <path>', 'Only the test cases in this file or folder')
    .option('--file <path>', 'Only this payload, as recorded: a JSON file, or - for stdin')
    .option('--watch', 'Run again whenever a file of the hook changes, until Ctrl-C')
    .option('--here', 'Run in this directory and with your own HOME, instead of temporary ones')
    .option('--print-payload', 'Print the payload the hook would read, and run nothing')
    .option('--native', 'With --print-payload: print what the agent sends')
    .option('--json', 'Print JSON')
    .action((ref: string, options: Options) => run(context, ref, options));
  return withExamples(command, [
    'hooks test no-rm-rf',
    `hooks test no-rm-rf --agent ${SOME_AGENT} --watch`,
    'hooks test no-rm-rf --command "rm -rf ~"',
    'hooks test ./guard.sh --event pre_tool_use',
    'hooks test no-rm-rf --case tests/rm.json',
    'hooks test no-rm-rf --file payload.json',
    'events show @ --json | piton hooks test no-rm-rf --file -',
    'hooks test no-rm-rf --print-payload | jq .tool_input',
  ]);
}

async function run(context: Context, ref: string, options: Options): Promise<void> {
  if (options.watch && (options.json || options.printPayload))
    throw new Failure('--watch cannot be combined with --json or --print-payload', { usage: true });
  refuseMixed(options);
  if (options.printPayload)
    return await printPayload(context, asEnforced(findHook(context, ref, parseEventOption(options.event))), options);
  const interruption = catchSignals();
  try {
    if (options.watch) await watch(context, ref, options, interruption.signal);
    else await runOnce(context, ref, options, interruption.signal);
  } finally {
    interruption.release();
  }
  // Ctrl-C is the normal way to end --watch, but it cuts a single run short.
  const code = interruption.exitCode();
  if (code !== undefined) context.exit.code = options.watch ? 0 : code;
}

/** Each of these says what to run the hook on. */
function refuseMixed({ file, case: cases, command, all, watch }: Options): void {
  if (file === undefined) return;
  const other = cases !== undefined ? '--case' : command !== undefined ? '--command' : all ? '--all' : undefined;
  if (other !== undefined) throw new Failure(`--file cannot be combined with ${other}`, { usage: true });
  if (watch && file === '-') throw new Failure('--watch cannot read stdin again', { remedy: 'save it as a file', usage: true });
}

/** Until Ctrl-C. A hook that cannot be read, or matches nothing, may be half-saved: report it and wait. */
async function watch(context: Context, ref: string, options: Options, signal: AbortSignal): Promise<void> {
  let changedDuringRun = false;
  while (!signal.aborted) {
    const paths = watchedPaths(context, ref, options);
    const before = stampOf(paths);
    try {
      await runOnce(context, ref, options, signal);
    } catch (error) {
      if (!(error instanceof Failure) || error.code === 2) throw error;
      printLine(context, `${context.paint('red', '✗')} ${error.message}${error.where ? `\n    ${error.where}` : ''}`);
    }
    if (signal.aborted) return;
    const after = stampOf(paths);
    // Changed during the run: run once more. Only once, since a hook that writes into its own folder would never stop.
    changedDuringRun = after !== before && !changedDuringRun;
    if (!changedDuringRun) {
      printLine(context, context.paint('dim', '\nWaiting for changes. Press Ctrl-C to stop.'));
      await waitForChange(paths, after, signal);
    }
    if (!signal.aborted) printLine(context);
  }
}

function watchedPaths(context: Context, ref: string, options: Options): readonly string[] {
  try {
    const hook = findHook(context, ref, parseEventOption(options.event));
    const given = options.case ?? options.file;
    const cases = given === undefined ? caseFolders(hookPlaces(context).config, hook) : [given];
    return [hook.folder ?? hook.source, ...(hook.module === undefined ? [] : [dirname(hook.module)]), ...cases];
  } catch {
    return [resolve(context.cwd, ref.split('#')[0] as string)];
  }
}

async function runOnce(context: Context, ref: string, options: Options, signal: AbortSignal): Promise<void> {
  const hook = findHook(context, ref, parseEventOption(options.event));
  const file = options.file === undefined ? undefined : await readPayloadFile(context.cwd, options.file);
  const cases = casesFor(context, hook, options);
  const all: Tested[] = [];
  const request = {
    ...{ hook: asEnforced(hook), agents: agentsOrAll(options.agent), cases, signal, command: options.command, file },
    ...{ payloads: options.case === undefined, every: options.all === true, here: options.here === true },
  };
  if (!options.json) printHeading(context, hook);
  const terse = { answers: options.agent !== undefined || file !== undefined, said: new Set<string>() };
  await runTest(context, request, (one) => {
    all.push(one);
    if (!options.json && (file === undefined || one.of !== 'none')) context.out(describeTested(context, one, terse));
  });
  if (signal.aborted) return;
  if (file !== undefined && all[0]?.of === 'none')
    throw new Failure(`${hook.name} does not run on this payload: ${all[0].why}`, { where: file.name });
  if (all.every(({ of }) => of === 'none'))
    throw new Failure(`no payload or test case matches ${hook.name}`, {
      where: hook.source,
      remedy: 'add a test case, or use --command or another --event',
    });
  if (all.some(isFailed)) context.exit.code = 1;
  if (options.json) printJson(context, { hook: hook.id, event: hook.event, source: hook.source, results: all.map(testedJson) });
  else {
    printLine(context, `\n${summary(all, cases)}`);
    if (!terse.answers) printLine(context, context.paint('dim', 'What an agent gets: --agent <name>'));
  }
}

function casesFor(context: Context, hook: HookDefinition, { case: given, command, file }: Options): CaseFile[] {
  if (given !== undefined) return casesAt(given);
  return command === undefined && file === undefined ? hookCases(hookPlaces(context).config, hook) : [];
}

function printHeading(context: Context, hook: HookDefinition): void {
  const matcher = hook.matcher === '' ? '' : `, matcher ${hook.matcher}`;
  printLine(
    context,
    `${context.paint('bold', hook.id)}  on ${hook.event}${matcher}${hook.sandbox === undefined ? '' : `, sandbox ${hook.sandbox}`}`,
  );
  if (hook.shadow) printLine(context, context.paint('dim', 'It is in shadow mode. These are the decisions it would make if enforced.'));
  if (hook.status.kind === 'not-trusted' || hook.status.kind === 'changed')
    printLine(context, context.paint('dim', 'Testing the files in the project. Agents run the trusted copy only.'));
}

function summary(all: readonly Tested[], cases: readonly CaseFile[]): string {
  const failed = all.filter(isFailed).length;
  const ran = all.filter(({ of }) => of !== 'none');
  const agents = new Set(ran.map(({ agent }) => agent)).size;
  const words = `${plural(ran.length, 'run')} in ${plural(agents, 'agent')}, ${plural(cases.length, 'test case')}`;
  return failed === 0 ? `${words}: all passed` : `${words}: ${failed} failed`;
}

/** Prints the first matching payload of each chosen agent. Without --agent, of one agent only. */
async function printPayload(context: Context, hook: HookDefinition, options: Options): Promise<void> {
  const file = options.file === undefined ? undefined : await readPayloadFile(context.cwd, options.file);
  const payloadsOf = openPayloads(context, context.cwd);
  const here = { path: context.cwd, temporary: false };
  const given = file && choosePayload(file, agentsOrAll(options.agent), hook, here);
  const printed = (given ? [given.agent] : agentsOrAll(options.agent)).flatMap((agent) => {
    const recorded = { work: context.cwd, every: false, command: options.command };
    const choice = given?.choice ?? matchingPayloads(agent, payloadsOf(agent), hook, recorded);
    if ('none' in choice) return [];
    const [{ occasion }] = choice.matching;
    const { event } = preview(occasion, hook);
    const facts = { eventId: 'EVENT', repo: context.cwd, branch: 'main', transcriptFormat: agent.transcript?.name ?? null };
    return [options.native ? event.raw : portablePayload(event, hook.event, facts)];
  });
  const some = options.agent === undefined && !options.all ? printed.slice(0, 1) : printed;
  if (some.length === 0)
    throw new Failure(given && 'none' in given.choice ? given.choice.none : `no recorded payload matches ${hook.name}`, {
      remedy: 'try another --event or --agent',
    });
  for (const payload of some) printJson(context, payload);
}
