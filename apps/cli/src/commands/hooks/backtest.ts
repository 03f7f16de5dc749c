import { Command } from 'commander';
import { type Context, printJson } from '../../context.ts';
import { SOME_AGENTS } from '../../example-agents.ts';
import { withExamples } from '../../examples.ts';
import { Failure } from '../../failure.ts';
import { keepBacktest } from '../../hook-tests/backtest/kept-backtest.ts';
import { describeBacktest, isHarmless, quantile } from '../../hook-tests/backtest/report.ts';
import { type Backtest, type BacktestCall, runBacktest } from '../../hook-tests/backtest/run.ts';
import { asEnforced, findHook } from '../../hook-tests/hook-under-test.ts';
import { openProgress } from '../../hook-tests/progress.ts';
import { openSafeRunner } from '../../hook-tests/safe-runner.ts';
import { catchSignals } from '../../interruption.ts';
import { requirePlaces } from '../../locations.ts';
import { readStore } from '../../open-store.ts';
import { agentsOrAll } from '../../options/names.ts';
import { parseSinceOption } from '../../options/since.ts';
import { parseCount } from '../../output/count.ts';
import { redactorHere } from '../../redactor.ts';

interface Options {
  readonly since: string;
  readonly limit?: string;
  readonly agent?: string;
  readonly unsandboxed?: boolean;
  readonly json?: boolean;
}

const NOTHING: Backtest = { recorded: 0, looked: 0, expired: 0, unreadable: 0, calls: [] };

export function hooksBacktestCommand(context: Context): Command {
  const command = new Command('backtest')
    .argument('<hook>', 'Hook ID or name, or the path of an executable, an artifact or settings.json#name')
    .option('--since <when>', 'Only newer than this: 90m, 2h, 7d or a date', '30d')
    .option('-n, --limit <count>', 'Maximum number of calls, newest first')
    .option('--agent <names>', 'Only these agents, comma-separated')
    .option('--unsandboxed', 'Run it without a sandbox, where none is available')
    .option('--json', 'Print JSON')
    .action((ref: string, options: Options) => run(context, ref, options));
  return withExamples(command, [
    'hooks backtest no-rm-rf',
    'hooks backtest no-rm-rf --since 90d --limit 5000',
    `hooks backtest no-rm-rf --agent ${SOME_AGENTS} --json`,
  ]);
}

async function run(context: Context, ref: string, options: Options): Promise<void> {
  const places = requirePlaces(context);
  const hook = asEnforced(findHook(context, ref));
  if (hook.status.kind !== 'ready')
    throw new Failure(`${hook.name} cannot run: ${hook.status.note}`, {
      where: hook.source,
      remedy: 'fix it, then run: piton hooks test',
    });
  const since = parseSinceOption(options.since);
  const limit = options.limit === undefined ? Number.POSITIVE_INFINITY : parseCount('--limit', options.limit);
  const request = { hook, since, limit, agents: agentsOrAll(options.agent) };
  const interruption = catchSignals();
  const progress = openProgress(context, 'checked');
  try {
    const unsandboxed = options.unsandboxed === true;
    const runner = openSafeRunner(context, { unsandboxed, signal: interruption.signal, command: `piton hooks backtest ${ref}` });
    const result = await readStore(
      places,
      (store) => runBacktest(store, request, runner, interruption.signal, progress.step).finally(runner.close),
      NOTHING,
    );
    progress.end();
    keepBacktest(places.home, hook, since, result, redactorHere(context));
    if (options.json) printJson(context, asJson(hook.id, since, result));
    else context.out(describeBacktest(context, hook, since, result));
  } finally {
    progress.end();
    interruption.release();
  }
  context.exit.code = interruption.exitCode() ?? 0;
}

function asJson(hook: string, since: number, { recorded, looked, expired, unreadable, calls }: Backtest): object {
  const callsWith = (word: string): readonly BacktestCall[] => calls.filter((call) => call.said === word);
  const ms = calls.map((call) => call.ms);
  return {
    hook,
    since: new Date(since / 1000).toISOString(),
    ...{ recorded, looked_at: looked, expired, unreadable, ran: calls.length },
    denied: callsWith('deny').length,
    denied_ran_without_harm: callsWith('deny').filter(isHarmless).length,
    ...{ asked: callsWith('ask').length, modified: callsWith('modify').length },
    failed: calls.filter(({ failure }) => failure !== null).length,
    redacted: calls.filter(({ redacted }) => redacted).length,
    ...{ p50_ms: quantile(ms, 0.5), p95_ms: quantile(ms, 0.95) },
    calls: calls
      .filter(({ said: word, failure }) => word !== 'observe' || failure !== null)
      .map(({ eventId, wallUs, reachesAgent, ...call }) => ({
        event_id: eventId,
        at: new Date(wallUs / 1000).toISOString(),
        ...call,
        reaches_agent: reachesAgent,
      })),
  };
}
