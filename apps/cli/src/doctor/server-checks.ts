import { lstatSync, rmSync } from 'node:fs';
import type { ServerStatus } from '@piton/contracts/server-api';
import { describeTarget, localStore } from '@piton/store';
import { Failure } from '../failure.ts';
import { plural } from '../output/text.ts';
import { formatTime } from '../output/time.ts';
import { readBackoff } from '../server/backoff.ts';
import { serverStatus } from '../server/client.ts';
import { replaceServer } from '../server/replacement.ts';
import { ensureServer } from '../server/server-process.ts';
import { type Check, type CheckInput, type Finding, note, problem } from './finding.ts';

/** A server is alive if it answers. One that is not running is fine if it can be started. */
export const serverCheck: Check = async (input) => {
  const { places } = input;
  const backoff = readBackoff(places);
  if (backoff?.active) {
    const fix = async (): Promise<string> => {
      rmSync(backoff.file, { force: true });
      const { status } = await ensureServer(places, input.context.env);
      return `started (process ${status.pid})`;
    };
    return [
      problem('server.backoff', {
        what: `the server failed to start ${plural(backoff.failures, 'time')}: ${backoff.why}. Next attempt after ${formatTime(backoff.until)}`,
        where: backoff.file,
        remedy: 'see `piton server logs` and `piton server run`. To try again now: --fix',
        fix,
      }),
    ];
  }
  const reply = await serverStatus(places);
  if (reply.ok) return checkRunning(input, reply.value);
  if (reply.why !== 'absent')
    return [
      problem('server.silent', {
        what: `the server does not answer: ${reply.error}`,
        where: places.cliSocket,
        remedy: 'run `piton server stop`. If that fails, kill its process',
      }),
    ];
  try {
    return checkRunning(input, (await ensureServer(places, input.context.env)).status);
  } catch (error) {
    if (!(error instanceof Failure)) throw error;
    return [
      problem('server.start', {
        what: error.message,
        ...(error.where && { where: error.where }),
        remedy: 'see `piton server run` and `piton server logs`',
      }),
    ];
  }
};

function checkRunning(input: CheckInput, status: ServerStatus): Finding[] {
  const { places, context } = input;
  const found: Finding[] = [];
  const older = status.version !== context.version || Date.parse(status.startedAt) < linkChangedAt(places.current);
  if (older) {
    const fix = async (): Promise<string> =>
      (await replaceServer(places)) === 'finishing' ? 'it stops when its current work is done' : 'replaced';
    found.push(
      problem('server.version', {
        what: `the server (version ${status.version}) is older than the installed runtime (version ${context.version})`,
        remedy: 'run `piton server stop`. The next event starts the new version',
        fix,
      }),
    );
  }
  if (!status.store.ok)
    found.push(
      problem(`store.${status.store.problem}`, {
        what: `the server cannot use the store: ${status.store.error}`,
        where: describeTarget(localStore(places)),
        remedy: 'events stay in the journal until then',
      }),
    );
  for (const reported of status.troubles)
    found.push(
      (reported.kind === 'note' ? note : problem)('server.trouble', {
        what: `${formatTime(reported.at)} ${reported.what}`,
        remedy: reported.remedy,
      }),
    );
  return found;
}

function linkChangedAt(link: string): number {
  return lstatSync(link, { throwIfNoEntry: false })?.mtimeMs ?? 0;
}
