import type { Places } from '@piton/contracts/places';
import { formatBytes } from '../clean/disk.ts';
import { type Context, printJson, printLine } from '../context.ts';
import { Failure } from '../failure.ts';
import { requirePlaces } from '../locations.ts';
import { oneLine, plural } from '../output/text.ts';
import { formatAge, formatTime } from '../output/time.ts';
import { flush } from '../server/client.ts';
import { type FileProblem, fileProblems } from './file-check.ts';
import { type Membership, readMembership } from './membership.ts';
import { nextBatch } from './reported/batch.ts';
import { readInventory } from './reported/inventory.ts';
import { createMachineReader, storeOpener } from './sender-ports.ts';
import { runningSender } from './sender-process.ts';
import { readSenderState, type SenderState } from './sender-state.ts';
import { readUpload, sentLines } from './sent-log.ts';

export interface StatusOptions {
  readonly what?: boolean | string;
  readonly json?: boolean;
}

const LATEST = 5;

export const repositoriesText = (patterns: readonly string[]): string =>
  patterns.length === 0 ? 'all repositories' : patterns.map((each) => oneLine(each)).join(', ');

export async function showTeam(context: Context, options: StatusOptions): Promise<void> {
  const places = requirePlaces(context);
  const membership = readMembership(places);
  if (membership === undefined) {
    if (options.what !== undefined) throw new Failure('this machine is in no team: nothing leaves', { remedy: 'piton team join --help' });
    return options.json ? printJson(context, { joined: null }) : printLine(context, 'This machine is in no team: nothing leaves.');
  }
  if (options.what !== undefined) return showWhat(context, places, membership, options.what === true ? 'next' : String(options.what));
  const state = readSenderState(places);
  const pid = await runningSender(places);
  const uploads = sentLines(places);
  const files = fileProblems(places);
  if (options.json) {
    const { url, tenant, machine, joinedAt, repositories, bodies } = membership;
    return printJson(context, {
      joined: { url, tenant, machine, joinedAt, repositories, bodies },
      sender: pid ?? null,
      ...state,
      files,
      sent: uploads,
    });
  }
  const row = (label: string, text: string): void => printLine(context, `${context.paint('dim', label.padEnd(13))}${text}`);
  row('team', `${oneLine(membership.tenant.name)} at ${membership.url}`);
  row('reported', `of ${repositoriesText(membership.repositories)}`);
  row('bodies', bodiesText(membership, state));
  row('sending', sendingText(pid, files));
  row(
    'sent',
    state.lastSentAt === null
      ? 'nothing yet'
      : `${plural(state.records, 'record')}, the last ${formatAge(Date.now() - Date.parse(state.lastSentAt))} ago`,
  );
  // What was wrong with a file shows below, as it is now.
  if (state.problem?.why === 'machine')
    row('ended', `${oneLine(state.problem.error)}. Nothing more leaves. To end it here: piton team leave`);
  else if (state.problem !== null && state.problem.why !== 'files')
    row('problem', `${oneLine(state.problem.error)} (since ${formatTime(state.problem.since)}). Nothing is lost: it is sent later`);
  for (const { what, where, remedy } of files) {
    row('problem', oneLine(what));
    printLine(context, `  where: ${oneLine(where)}`);
    printLine(context, `  fix: ${oneLine(remedy)}`);
  }
  if (uploads.length === 0) return;
  printLine(context, `\nUploads, the latest first. Show one: piton team status --what ${uploads.at(-1)?.number}`);
  for (const { number, at, records, bytes } of uploads.slice(-LATEST).reverse())
    printLine(context, `${String(number).padStart(6)}  ${formatTime(at)}  ${plural(records, 'record')}, ${formatBytes(bytes)}`);
}

function sendingText(pid: number | undefined, files: readonly FileProblem[]): string {
  if (files.some(({ stops }) => stops)) return 'stopped: nothing leaves until the problem below is solved, and nothing is lost';
  return pid === undefined ? 'not running. The server starts it with the next event' : `process ${pid}`;
}

function bodiesText({ bodies, bodiesSince = '' }: Membership, { teamWantsBodies, consentKnown }: SenderState): string {
  if (!teamWantsBodies) return 'stay here: the team does not want them';
  if (bodies && consentKnown) return `leave since ${formatTime(bodiesSince)}: you and the team agreed`;
  return `stay here: the team wants them, and you ${bodies ? 'have to agree anew' : 'did not agree'}. To agree: piton team consent`;
}

/** The very bytes, and nothing else on stdout. */
async function showWhat(context: Context, places: Places, membership: Membership, which: string): Promise<void> {
  if (/^\d+$/.test(which)) return context.outBytes(readUpload(places, Number(which)));
  if (which !== 'next' && which !== 'inventory')
    throw new Failure(`--what ${JSON.stringify(which)} is unknown`, {
      remedy: 'it may be next, inventory, or the number of an upload',
      usage: true,
    });
  await flush(places, 3000);
  const opener = storeOpener(places);
  try {
    const store = await opener.open();
    if (store === undefined) return context.err('Nothing was recorded yet.\n');
    const reader = createMachineReader(context, places, membership);
    if (which === 'inventory')
      return context.outBytes(Buffer.from(`${JSON.stringify(await readInventory({ context, places, store, reader, now: Date.now() }))}\n`));
    const state = readSenderState(places);
    const { store: identity } = await store.lastChange();
    const isSame = state.store === null || state.store === identity;
    const ports = reader.portsOf(store, identity, membership.bodies && state.teamWantsBodies && state.consentKnown);
    const at = isSame ? { after: state.position, scanned: state.scanned } : { after: 0, scanned: 0 };
    const batch = await nextBatch(store, ports, { ...at, replaced: !isSame, now: Date.now });
    if (batch.records === 0) return context.err('Nothing is waiting: everything that may leave has left.\n');
    context.outBytes(Buffer.from(batch.text));
  } finally {
    await opener.close();
  }
}
