import { type Context, printLine } from '../context.ts';
import { codeOf, Failure, reasonOf } from '../failure.ts';
import { oneLine } from '../output/text.ts';
import { type DatabaseOptions, databaseFailure, databaseUrl, teamSecret, teamServerProgram } from './program.ts';

export interface ServeOptions extends DatabaseOptions {
  readonly listen: string;
}

/** Serves until it is told to end; then it takes nothing new, and ends what it has. */
export async function serveTeam(context: Context, options: ServeOptions): Promise<void> {
  const { host, port } = addressOf(options.listen);
  const url = databaseUrl(context, options);
  const secret = teamSecret(context, options);
  const log = (line: string): void => context.err(`${new Date().toISOString()} ${line}\n`);
  const running = await teamServerProgram(context)
    .serveTeam({ url, secret, host, port, log })
    .catch((error: Error) => {
      if ((error as { problem?: string }).problem !== undefined) throw databaseFailure(error);
      throw new Failure(`cannot listen on ${options.listen}: ${codeOf(error) === 'EADDRINUSE' ? 'it is taken' : reasonOf(error)}`, {
        remedy: 'name another with --listen',
      });
    });
  printLine(context, `listening on ${running.address}`);
  // It may start before its database, so nobody waits for this; but who has mistyped one must see it.
  void fetch(`${running.address}/readyz`).then(
    async (ready) => ready.ok || log(`not ready, the database: ${oneLine((await ready.text()).trim())}`),
    () => {},
  );
  await new Promise<void>((resolve) => {
    for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => resolve());
  });
  log('ending: takes nothing new, and ends what it has');
  await running.drain();
}

function addressOf(text: string): { readonly host: string; readonly port: number } {
  const [, host, port] = /^(?:(\[[0-9a-f:.]+\]|[^:]+):)?(\d{1,5})$/i.exec(text) ?? [];
  if (port === undefined || Number(port) > 65_535)
    throw new Failure(`--listen ${JSON.stringify(text)} is no address`, { remedy: 'it looks like 127.0.0.1:4790', usage: true });
  return { host: (host ?? '127.0.0.1').replace(/^\[|\]$/g, ''), port: Number(port) };
}
