import type { Places } from '@piton/contracts/places';
import { type Context, printJson, printLine } from '../context.ts';
import { requirePlaces } from '../locations.ts';
import { oneLine } from '../output/text.ts';
import { consent } from '../question.ts';
import { findMembership, type Membership, type MembershipFound, readKey, removeMembership, teamDirectory } from './membership.ts';
import { stopSender } from './sender-process.ts';
import { callLeave, callToken } from './server-call.ts';

export interface LeaveOptions {
  readonly dryRun?: boolean;
  readonly yes?: boolean;
  readonly json?: boolean;
}

export async function leaveTeam(context: Context, options: LeaveOptions): Promise<void> {
  const places = requirePlaces(context);
  const membership = findMembership(places);
  const directory = teamDirectory(places);
  if (membership === undefined) {
    if (options.json) return printJson(context, { left: null });
    return printLine(context, 'This machine is in no team.');
  }
  const name = membership === 'broken' ? 'the team' : oneLine(membership.tenant.name);
  if (options.dryRun) {
    if (options.json)
      return printJson(context, { dryRun: true, leave: membership === 'broken' ? null : membership.url, remove: directory });
    return printLine(context, `Piton would tell ${membership === 'broken' ? 'no server' : membership.url}, and remove ${directory}.`);
  }
  const isAgreed = await consent(context, {
    question: `Leave ${name}? Nothing more is reported, and joining again needs a new code.`,
    ...{ yes: options.yes === true, command: 'piton team leave' },
  });
  if (!isAgreed) return;
  const told = await leave(places, membership);
  const where = membership === 'broken' ? null : membership.url;
  if (options.json) return printJson(context, { left: where, serverKnows: told === undefined, ...(told !== undefined && { error: told }) });
  printLine(context, `${context.paint('green', '✓')} left ${name}`);
  printLine(context, 'On this machine: everything that was recorded stays, as before. The key, and what was kept of uploads, are removed.');
  printLine(context, `On the server${where === null ? '' : ` ${where}`}: what left stays.`);
  if (told !== undefined)
    printLine(
      context,
      `The server could not be told (${oneLine(told)}). It still lists this machine, whose key is gone: nobody can send as it.`,
    );
}

/** Nothing is sent any more, and the key goes. Says why the server does not know of it; undefined if it does. */
export async function leave(places: Places, membership: MembershipFound): Promise<string | undefined> {
  await stopSender(places);
  const untold = membership === 'broken' ? 'its address is not known' : await notifyServer(() => readKey(places), membership);
  removeMembership(places);
  return untold;
}

/** A person waits for it. */
const LIMIT_MS = 10_000;

/** Why the server does not know of it; undefined if it does. */
async function notifyServer(key: () => ReturnType<typeof readKey>, { url, tenant, machine }: Membership): Promise<string | undefined> {
  try {
    const token = await callToken({ url, tenant: tenant.id, machine, key: key() }, AbortSignal.timeout(LIMIT_MS));
    const reply = token.ok ? await callLeave(url, token.value.token) : token;
    // Of a machine that the team has ended it knows already.
    return reply.ok || reply.why === 'machine' ? undefined : reply.error;
  } catch (error) {
    return (error as Error).message;
  }
}
