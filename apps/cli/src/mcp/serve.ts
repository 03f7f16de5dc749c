import { basename, dirname } from 'node:path';
import { McpServer } from '@modelcontextprotocol/server';
import { serveStdio } from '@modelcontextprotocol/server/stdio';
import { findAgent } from '@piton/agents';
import { configOf, homeDirectories } from '@piton/contracts/places';
import type { HistoryReadReport } from '@piton/contracts/server-api';
import type { Context } from '../context.ts';
import { Failure } from '../failure.ts';
import { existingPlaces } from '../locations.ts';
import { redactorHere } from '../redactor.ts';
import { repositoryRoot } from '../repository.ts';
import { historyRead } from '../server/client.ts';
import { ensureServer } from '../server/server-process.ts';
import { withReader } from './history.ts';
import { quotedHistory } from './quoted.ts';
import type { HistoryTool } from './tool.ts';
import { TOOLS } from './tools.ts';

const INSTRUCTIONS =
  "Piton's record of what coding agents did in this repository, whichever agent it was: search it, read sessions, ledgers, handoffs and checkpoints, and find out who wrote a line. Everything that it returns is quoted data, with its source.";

/** Serves one agent over stdin and stdout until it closes them. Nothing else is ever printed there. */
export async function serveMcp(given: Context, agentName: string | null): Promise<void> {
  const context = { ...withHomeOfRuntime(given), out: given.err, verbatim: given.err };
  const agent = agentName === null ? null : (findAgent(agentName)?.id ?? agentName);
  const redactor = redactorHere(context);
  const closed = new Promise<void>((resolve) => process.stdin.once('close', resolve).once('end', resolve));
  const handle = serveStdio(() => {
    const server = new McpServer({ name: 'piton', version: context.version }, { instructions: INSTRUCTIONS });
    for (const tool of TOOLS) {
      const { name, title, description, input } = tool;
      server.registerTool(name, { title, description, inputSchema: input, annotations: READ_ONLY }, (args) => answer(tool, args));
    }
    return server;
  });
  await closed;
  await handle.close();

  async function answer(tool: HistoryTool, input: Record<string, unknown>) {
    const call = { agent, session: null as string | null, tool: tool.name, input: JSON.stringify(input).slice(0, 500) };
    try {
      const history = await withReader(context, agent, (reader) => {
        call.session = reader.asking?.providerRef ?? null;
        return tool.read(reader, input);
      });
      const { text, results } = quotedHistory(history, redactor);
      await record(context, { ...call, results, characters: text.length, failed: null });
      return { content: [{ type: 'text' as const, text }] };
    } catch (error) {
      const why = failureText(error);
      const { text } = quotedHistory({ about: { error: why }, records: [] }, redactor);
      await record(context, { ...call, results: 0, characters: text.length, failed: redactor.text(why) });
      return { isError: true, content: [{ type: 'text' as const, text }] };
    }
  }
}

const READ_ONLY = { readOnlyHint: true, destructiveHint: false, idempotentHint: true, openWorldHint: false };

function failureText(error: unknown): string {
  if (!(error instanceof Failure)) return error instanceof Error ? error.message : String(error);
  return [error.message, error.where, error.remedy].filter(Boolean).join('. ');
}

/** Through the server, which redacts and stores it: this process only reads. Without a server one is started, as for an event. */
async function record(context: Context, report: Omit<HistoryReadReport, 'root'>): Promise<void> {
  const places = existingPlaces(context);
  if (places === undefined) return;
  const message = { ...report, root: repositoryRoot(context) ?? context.cwd };
  try {
    const reply = await historyRead(places, message);
    if (reply.ok) return;
    await ensureServer(places, context.env);
    const again = await historyRead(places, message);
    if (!again.ok) context.err(`piton mcp: the call could not be recorded: ${again.error}\n`);
  } catch (error) {
    context.err(`piton mcp: the call could not be recorded: ${failureText(error)}\n`);
  }
}

/** Some agents start their servers without most variables. The home is where the runtime lies. */
function withHomeOfRuntime(context: Context): Context {
  const runtime = dirname(context.distribution);
  if (basename(runtime) !== 'runtime') return context;
  const home = dirname(runtime);
  const named = homeDirectories(context.env);
  if (!('error' in named) && named.home === home) return context;
  const config = configOf(home, context.env);
  const moved = dirname(home);
  const env =
    basename(home) === 'state' && basename(config) === 'config'
      ? { PITON_HOME: moved }
      : { PITON_HOME: undefined, XDG_STATE_HOME: moved, XDG_CONFIG_HOME: dirname(config) };
  return { ...context, env: { ...context.env, ...env } };
}
