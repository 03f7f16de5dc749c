import type { AddressInfo } from 'node:net';
import type { Places } from '@piton/contracts/places';
import { Command } from 'commander';
import { type Context, printJson, printLine } from '../context.ts';
import { withExamples } from '../examples.ts';
import { codeOf, Failure } from '../failure.ts';
import { requirePlaces } from '../locations.ts';
import { startAnswers } from './answer-thread.ts';
import { createAccess } from './http/access.ts';
import { createPageServer } from './http/page-server.ts';
import { openStaticFiles } from './http/static-files.ts';
import { openBrowser, removeLeading } from './open-browser.ts';
import { linkOfRunning, offerLinks } from './running.ts';

export interface UiOptions {
  readonly port?: string;
  readonly open: boolean;
  readonly publicUrl?: string;
  readonly idle: string;
  readonly json?: boolean;
}

export function uiCommand(context: Context): Command {
  const command = new Command('ui')
    .option('--port <number>', 'Port on loopback (default: a free one)')
    .option('--no-open', 'Print the link, and open no browser')
    .option('--public-url <url>', 'The address at which a forwarded port is reached')
    .option('--idle <minutes>', 'End when nobody has looked for so long. 0: never', '30')
    .option('--json', 'Print the link as JSON, and open no browser')
    .action((options: UiOptions) => serveUi(context, options));
  return withExamples(command, ['ui', 'ui --no-open', 'ui --port 4780', 'ui --public-url https://box.example/proxy/4780']);
}

/** Serves until it is stopped, or nobody looks any more. */
export async function serveUi(context: Context, options: UiOptions): Promise<void> {
  const places = requirePlaces(context);
  const port = portOf(options.port);
  const idleMs = minutesOf(options.idle) * 60_000;
  const publicUrl = options.publicUrl === undefined ? undefined : publicUrlOf(options.publicUrl);
  const running = port === 0 && publicUrl === undefined ? await linkOfRunning(places) : undefined;
  if (running !== undefined)
    return show(context, places, options, { link: running, reused: true, ownLink: () => linkOfRunning(places, true) });

  const files = openStaticFiles(context.distribution);
  const answers = await startAnswers(context).catch((error: Error) => {
    throw new Failure(`cannot read the store: ${error.message}`, { remedy: 'run `piton doctor`' });
  });
  const access = createAccess(() => performance.now());
  const origins = new Set<string>();
  const ended = new AbortController();
  const idle = idleTimer(idleMs, () => ended.abort());
  const server = createPageServer({ access, answers, files, origins, onUse: idle.used });
  const address = await listen(server, port);
  for (const name of ['127.0.0.1', 'localhost']) origins.add(`http://${name}:${address.port}`);
  if (publicUrl !== undefined) origins.add(publicUrl.origin);
  const base = publicUrl?.href ?? `http://127.0.0.1:${address.port}/`;
  // Under another address a proxy connects, whoever's that is: so there is no link for this user alone.
  const newLink = (own = false): string => (own && publicUrl !== undefined ? '' : `${base}#code=${access.issueCode(own)}`);
  const withdraw = await offerLinks(places, newLink);
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.once(signal, () => ended.abort());
  await show(context, places, options, { link: newLink(), reused: false, ownLink: async () => newLink(true) });
  await new Promise<void>((resolve) => {
    if (ended.signal.aborted) resolve();
    ended.signal.addEventListener('abort', () => resolve(), { once: true });
  });
  // What the terminal echoes of Ctrl-C stands at the end of our last line.
  if (context.terminal && options.json !== true) printLine(context);
  idle.stop();
  withdraw();
  removeLeading(places);
  server.close();
  server.closeAllConnections();
  await answers.close();
}

function listen(server: ReturnType<typeof createPageServer>, port: number): Promise<AddressInfo> {
  return new Promise((resolve, reject) => {
    server.once('error', (error) => {
      const isTaken = codeOf(error) === 'EADDRINUSE';
      reject(
        new Failure(`cannot listen on port ${port}: ${isTaken ? 'it is taken' : error.message}`, {
          remedy: 'leave out --port, or name another',
        }),
      );
    });
    server.listen({ host: '127.0.0.1', port }, () => resolve(server.address() as AddressInfo));
  });
}

interface Link {
  readonly link: string;
  readonly reused: boolean;
  /** Another one, good for this user alone. */
  readonly ownLink: () => Promise<string | undefined>;
}

async function show(context: Context, places: Places, options: UiOptions, { link, reused, ownLink }: Link): Promise<void> {
  if (options.json) return printJson(context, { link, reused, validSeconds: 60 });
  const opened = options.open && context.terminal && (await openBrowser(context, places, ownLink));
  context.out(`${link}\n`);
  const how = opened ? 'Opened in your browser.' : 'Open this link.';
  printLine(context, context.paint('dim', `${how} It is good once, within a minute. For another one: piton ui`));
  if (!reused) printLine(context, context.paint('dim', 'It serves you alone, on this machine, until you press Ctrl-C or stop looking.'));
}

/** Ends what nobody looks at. An open stream is a look. */
function idleTimer(limitMs: number, end: () => void) {
  let timer: NodeJS.Timeout | undefined;
  const stop = (): void => clearTimeout(timer);
  const used = (streams: number): void => {
    stop();
    if (streams === 0 && limitMs > 0) timer = setTimeout(end, limitMs);
  };
  used(0);
  return { used, stop };
}

function portOf(given: string | undefined): number {
  if (given === undefined) return 0;
  const port = /^\d{1,5}$/.test(given) ? Number(given) : -1;
  if (port < 1 || port > 65_535)
    throw new Failure(`${JSON.stringify(given)} is no port`, { remedy: 'use a number from 1 to 65535', usage: true });
  return port;
}

function minutesOf(given: string): number {
  const minutes = /^\d{1,6}(\.\d{1,3})?$/.test(given) ? Number(given) : Number.NaN;
  if (Number.isNaN(minutes)) throw new Failure(`${JSON.stringify(given)} is no number of minutes`, { usage: true });
  return minutes;
}

function publicUrlOf(given: string): URL {
  const url = URL.canParse(given) ? new URL(given) : undefined;
  if (url === undefined || (url.protocol !== 'https:' && url.protocol !== 'http:') || url.hash !== '' || url.search !== '')
    throw new Failure(`${JSON.stringify(given)} is no address of a page`, { remedy: 'such as https://box.example/', usage: true });
  return url;
}
