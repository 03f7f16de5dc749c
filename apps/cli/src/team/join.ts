import type { KeyObject } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { hostname } from 'node:os';
import { shellWord } from '@piton/contracts';
import type { Places } from '@piton/contracts/places';
import { type Context, printJson, printLine } from '../context.ts';
import { Failure, reasonOf } from '../failure.ts';
import { requirePlaces } from '../locations.ts';
import { oneLine } from '../output/text.ts';
import { consent } from '../question.ts';
import { type Membership, newKey, readMembership, removeMembership, teamDirectory, writeKey, writeMembership } from './membership.ts';
import { repositoryOption, unreportedReason } from './repository-option.ts';
import { startSender } from './sender-process.ts';
import { callJoin } from './server-call.ts';
import { repositoriesText } from './status.ts';

export interface JoinOptions {
  readonly code?: string;
  readonly repo?: readonly string[];
  readonly bodies?: boolean;
  readonly name?: string;
  readonly dryRun?: boolean;
  readonly yes?: boolean;
  readonly json?: boolean;
}

export async function joinTeam(context: Context, address: string, options: JoinOptions): Promise<void> {
  const places = requirePlaces(context);
  const { url, code: inAddress } = serverAddress(address);
  const before = readMembership(places);
  if (before)
    throw new Failure(`this machine is in the team ${oneLine(before.tenant.name)} already`, {
      where: before.url,
      remedy: 'leave it first: piton team leave',
    });
  const repositories = (options.repo ?? []).map((each) => repositoryOption(each, context.cwd));
  const bodies = options.bodies === true;
  if (options.dryRun) return describe(context, options, { url, repositories, bodies, dryRun: true });
  const code = (options.code === '-' ? readFileSync(0, 'utf8') : (options.code ?? inAddress ?? '')).trim();
  if (code === '')
    throw new Failure('the code is missing', { remedy: 'ask the admin of your team for one, and add --code <code>', usage: true });
  if (!options.json) describe(context, options, { url, repositories, bodies, dryRun: false });
  const isAgreed = await consent(context, {
    question: `Report this to ${url}?`,
    yes: options.yes === true,
    command: sameCommand(address, options),
  });
  if (!isAgreed) return;
  const { publicKey, privateKey } = newKey();
  const name = (options.name ?? hostname()).slice(0, 200);
  const about = { name, platform: `${process.platform} ${process.arch}`, piton: context.version, bodies };
  // Before the code is used up: a full disk would cost the person another one.
  keepKey(places, privateKey);
  const reply = await callJoin(url, { code, key: publicKey, ...about });
  if (!reply.ok) {
    removeMembership(places);
    throw new Failure(
      `${UNANSWERED.includes(reply.why) ? 'no team server answered' : 'the server did not accept this machine'}: ${oneLine(reply.error)}`,
      {
        where: url,
        remedy:
          reply.why === 'code'
            ? 'a code is good once, and not for long: ask for another one'
            : 'check the address, and try again with the same code',
      },
    );
  }
  const { machine, tenant, bodies: wanted } = reply.value;
  const joinedAt = new Date().toISOString();
  // To agree to what the team does not want would be to agree to what nobody knows yet.
  const agreed = bodies && wanted;
  const certificates = context.env.NODE_EXTRA_CA_CERTS;
  const membership: Membership = {
    version: 1,
    url,
    tenant,
    machine,
    joinedAt,
    repositories,
    bodies: agreed,
    ...(agreed && { bodiesSince: joinedAt }),
    ...(certificates && { certificates }),
  };
  writeMembership(places, membership);
  const isSending = await startSender(context, places, membership);
  if (options.json)
    return printJson(context, {
      joined: { url, tenant, machine, repositories, bodies: agreed, teamWantsBodies: wanted },
      sending: isSending,
    });
  printLine(context, `${context.paint('green', '✓')} joined ${oneLine(tenant.name)} as ${name}`);
  if (bodies && !wanted)
    printLine(
      context,
      'The team does not want prompts and bodies: they stay here. If it does one day, `piton team status` says so, and you may agree then.',
    );
  if (!bodies && wanted)
    printLine(context, 'The team would like prompts and bodies. They stay here, since you did not agree. To agree: piton team consent');
  printLine(context, isSending ? 'See what has left: piton team status' : 'Sending did not start: piton doctor');
}

function keepKey(places: Places, key: KeyObject): void {
  try {
    writeKey(places, key);
  } catch (error) {
    throw new Failure(`cannot write the key of this machine: ${reasonOf(error)}`, {
      where: teamDirectory(places),
      remedy: 'make room, or make the folder writable. The code is still good',
    });
  }
}

const UNANSWERED: readonly string[] = ['lost', 'odd', 'busy'];

/** What was typed, with all that limits it: without its `--repo` it would report everything. */
function sameCommand(address: string, { code, repo = [], bodies, name }: JoinOptions): string {
  const named = [...repo.flatMap((each) => ['--repo', each]), ...(name === undefined ? [] : ['--name', name])];
  const words = [address, ...(code === undefined ? [] : ['--code', code]), ...named, ...(bodies ? ['--bodies'] : [])];
  return `piton team join ${words.map(shellWord).join(' ')}`;
}

interface Plan {
  readonly url: string;
  readonly repositories: readonly string[];
  readonly bodies: boolean;
  readonly dryRun: boolean;
}

function describe(context: Context, { json }: JoinOptions, { url, repositories, bodies, dryRun }: Plan): void {
  if (json) return printJson(context, { dryRun, url, repositories, bodies });
  printLine(context, `Piton will report to ${url}, from a process of its own:`);
  printLine(context, `  of ${repositoriesText(repositories)}`);
  for (const each of repositories) {
    const why = unreportedReason(each);
    if (why !== undefined) printLine(context, `  (nothing of ${oneLine(each)} as it is now: ${why})`);
  }
  printLine(
    context,
    '  which agent did what kind of thing when, decisions and the hooks behind them, sessions, checkpoints, commits and pushes by their ids, tokens,',
  );
  printLine(context, '  and what is in force here: agents, registrations, hooks and MCP servers (by hash)');
  printLine(
    context,
    bodies
      ? '  prompts, commands and outputs, redacted, if the team wants them'
      : '  no prompts, no commands, no outputs (--bodies would add them)',
  );
  printLine(context, 'What is recorded on this machine stays, and agents wait for none of it.');
}

const LOOPBACK = /^(?:localhost|127(?:\.\d{1,3}){3}|\[::1\])$/;

/** A key and tokens go there: nobody on the way may read them. */
export function serverAddress(address: string): { readonly url: string; readonly code: string | undefined } {
  let url: URL;
  try {
    url = new URL(address);
  } catch {
    throw new Failure(`${JSON.stringify(address)} is no address`, { remedy: 'it looks like https://team.example', usage: true });
  }
  if (url.protocol !== 'https:' && !(url.protocol === 'http:' && LOOPBACK.test(url.hostname)))
    throw new Failure('the address must begin with https://', {
      where: url.origin,
      remedy: 'http:// is for servers on this machine only',
      usage: true,
    });
  if (url.username !== '' || url.password !== '' || url.search !== '')
    throw new Failure('the address must have no password and no question mark', { where: url.origin, usage: true });
  return {
    url: `${url.origin}${url.pathname.replace(/\/+$/, '')}`,
    code: url.hash.length > 1 ? url.hash.slice(1) : undefined,
  };
}
