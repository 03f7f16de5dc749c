import { spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Places } from '@piton/contracts/places';
import type { ServerStatus } from '@piton/contracts/server-api';
import { Command } from 'commander';
import { type Context, printAsIs, printJson, printLine } from '../context.ts';
import { withExamples } from '../examples.ts';
import { Failure } from '../failure.ts';
import { requirePlaces } from '../locations.ts';
import { plural } from '../output/text.ts';
import { formatAge, formatTime } from '../output/time.ts';
import { readBackoff } from '../server/backoff.ts';
import { serverStatus } from '../server/client.ts';
import { followLogs, lastLines } from '../server/logs.ts';
import { ensureServer, stopServer } from '../server/server-process.ts';

/** The forwarder's exit code if a server is already running. */
const LOCK_TAKEN = 75;

export function serverCommand(context: Context): Command {
  const command = new Command('server');
  command
    .command('status')
    .description('Show whether the server runs, and its counters (default)')
    .option('--json', 'Print JSON')
    .action((options: { json?: boolean }) => status(context, options));
  command
    .command('start')
    .description('Start the server now instead of at the next event')
    .action(() => start(context));
  command
    .command('stop')
    .description('Stop the server after its current work. The next event starts it again')
    .action(() => stop(context));
  command
    .command('logs')
    .description('Show the server log')
    .option('-n, --lines <count>', 'Number of lines', '50')
    .option('-f, --follow', 'Follow the log')
    .action((options: { lines: string; follow?: boolean }) => logs(context, options));
  command
    .command('run')
    .description('Run the server in the foreground')
    .action(() => run(context));
  return withExamples(command, ['server', 'server stop', 'server logs --follow', 'server run']);
}

async function status(context: Context, options: { json?: boolean }): Promise<void> {
  const places = requirePlaces(context);
  const reply = await serverStatus(places);
  const backoff = readBackoff(places);
  if (options.json)
    return printJson(
      context,
      reply.ok ? { running: true, ...reply.value } : { running: false, why: reply.why, error: reply.error, backoff: backoff ?? null },
    );
  if (reply.ok) return printLine(context, describe(context, reply.value));
  if (reply.why === 'absent') printLine(context, 'The server is not running. The next event starts it.');
  else throw new Failure(`the server does not answer: ${reply.error}`, { where: places.cliSocket, remedy: 'run `piton doctor`' });
  if (backoff?.active)
    printLine(
      context,
      `It failed to start ${plural(backoff.failures, 'time')}. Next attempt after ${formatTime(backoff.until)}: ${backoff.why}`,
    );
}

function describe(context: Context, server: ServerStatus): string {
  const { p50, p99 } = server.shareUs;
  return [
    `${context.paint('green', 'running')}  process ${server.pid}, version ${server.version}, for ${formatAge(Date.now() - Date.parse(server.startedAt))}${server.retiring ? ', retiring' : ''}`,
    `events   ${server.counts.frames} received, ${server.counts.answered} answered, ${server.counts.stored} stored, ${server.counts.late} late`,
    `journal  ${plural(server.journal.waiting, 'frame')} waiting${server.journal.oldestMs === null ? '' : `, the oldest for ${formatAge(server.journal.oldestMs)}`}, ${server.journal.setAside} quarantined`,
    `store    ${server.store.ok ? 'open' : `${server.store.problem}: ${server.store.error}`}`,
    `latency  ${p50 === null ? 'no events yet' : `time per event without hooks: p50 ${p50} µs, p99 ${p99} µs`}`,
    ...server.troubles.map(
      (problem) => `${context.paint('yellow', 'problem')}  ${formatTime(problem.at)} ${problem.what} (${problem.remedy})`,
    ),
  ].join('\n');
}

async function start(context: Context): Promise<void> {
  const { status: server, fresh } = await ensureServer(requirePlaces(context));
  printLine(context, fresh ? `started (process ${server.pid})` : `already running (process ${server.pid})`);
}

async function stop(context: Context): Promise<void> {
  const words = {
    none: 'not running',
    stopped: 'stopped. The next event starts it again',
    busy: 'stopping: it accepts nothing new, and exits when running hooks are done',
  };
  printLine(context, words[await stopServer(requirePlaces(context))]);
}

async function logs(context: Context, options: { lines: string; follow?: boolean }): Promise<void> {
  const count = Number(options.lines);
  if (!Number.isSafeInteger(count) || count < 0)
    throw new Failure(`--lines must be a whole number, not ${JSON.stringify(options.lines)}`, { usage: true });
  const places = requirePlaces(context);
  const lines = lastLines(places.logs, count);
  if (lines.length === 0) printLine(context, `no logs yet in ${places.logs}`);
  for (const line of lines) printAsIs(context, line);
  if (options.follow) await followLogs(places.logs, (text) => context.out(text), context.readerGone);
}

/** Prints when the server is up: without output, starting looks like hanging. */
async function announce(context: Context, places: Places, ended: AbortSignal): Promise<void> {
  const begun = Date.now();
  while (!ended.aborted) {
    const reply = await serverStatus(places);
    // An older server is not this one.
    if (reply.ok && !ended.aborted && Date.parse(reply.value.startedAt) >= begun)
      return printLine(context, `listening (process ${reply.value.pid}). Press Ctrl-C to stop`);
    await sleep(50);
  }
}

/** Through the forwarder, which takes the lock of this environment, so there is never a second server. */
async function run(context: Context): Promise<void> {
  const places = requirePlaces(context);
  if (!existsSync(places.forwarder)) throw new Failure('the runtime is missing', { where: places.forwarder, remedy: 'run `piton init`' });
  const child = spawn(places.forwarder, ['--serve', 'here'], { stdio: 'inherit' });
  const pass = (signal: NodeJS.Signals): void => void child.kill(signal);
  process.on('SIGINT', pass).on('SIGTERM', pass);
  const ended = new AbortController();
  child.once('exit', () => ended.abort());
  void announce(context, places, ended.signal);
  const code = await new Promise<number>((resolve) => child.on('exit', (status, signal) => resolve(signal ? 1 : (status ?? 1))));
  if (code === LOCK_TAKEN) throw new Failure('a server is already running', { remedy: 'stop it first: piton server stop' });
  context.exit.code = code;
}
