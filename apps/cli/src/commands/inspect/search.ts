import type { SearchHit, SearchQuery, Store } from '@piton/store';
import { Command } from 'commander';
import { commandName, withCommandName } from '../../command-name.ts';
import { type Context, printJson, printLine } from '../../context.ts';
import { SOME_AGENT } from '../../example-agents.ts';
import { withExamples } from '../../examples.ts';
import { Failure } from '../../failure.ts';
import { requireSession } from '../../ids/session.ts';
import { requirePlaces } from '../../locations.ts';
import { readStore } from '../../open-store.ts';
import { parseRecordedAgent } from '../../options/names.ts';
import { parseSinceOption } from '../../options/since.ts';
import { parseCount } from '../../output/count.ts';
import { fitLines } from '../../output/fit.ts';
import { showPaged } from '../../output/pager.ts';
import { plural } from '../../output/text.ts';
import { repositoryRoot } from '../../repository.ts';
import { currentSession } from '../../search/current-session.ts';
import { describeHits, type ListedHit } from '../../search/hits.ts';

interface Options {
  readonly agent?: string;
  readonly session?: string;
  readonly here?: boolean;
  readonly branch?: string;
  readonly file?: string;
  readonly since?: string;
  readonly newest?: boolean;
  readonly limit: string;
  readonly json?: boolean;
}

export function searchCommand(context: Context): Command {
  const command = new Command('search')
    .argument('<words...>', 'Words, or beginnings of words, that must all occur')
    .option('--agent <name>', 'Only this agent')
    .option('--session <id>', 'Only this session: its ID, a prefix of it, or @')
    .option('--here', 'Only in this repository, or below this directory')
    .option('--branch <name>', 'Only on this branch')
    .option('--file <path>', 'Only calls that name this file, or a part of its path')
    .option('--since <when>', 'Only newer than this: 90m, 2h, 7d or a date')
    .option('--newest', 'By time. Otherwise the best match of the latest 5,000 comes first')
    .option('-n, --limit <count>', 'Maximum number of matches', '10')
    .option('--json', 'Print JSON')
    .action((words: string[], options: Options) => run(context, words, options));
  return withExamples(command, ['search npm test', `search login --agent ${SOME_AGENT} --since 7d`, 'search "exit code" --here --newest']);
}

async function run(context: Context, words: readonly string[], options: Options): Promise<void> {
  const text = words.join(' ');
  if (!/[\p{L}\p{N}]/u.test(text))
    throw new Failure(`${JSON.stringify(text)} has no word to search for`, { remedy: 'use letters or digits', usage: true });
  const limit = parseCount('--limit', options.limit);
  const filter = filterOf(context, options);
  const none = { hits: [] as ListedHit[], unindexed: 0 };
  const { hits, unindexed } = await readStore(
    requirePlaces(context),
    async (store) => {
      const found = await store.search(text, { ...filter, ...(await sessionsOf(context, store, options)), limit });
      return { hits: await withShortIds(store, found), unindexed: await store.unindexed() };
    },
    none,
  );
  if (options.json)
    return printJson(
      context,
      hits.map(({ hit }) => hit),
    );
  const notes = unindexed > 0 ? [`${plural(unindexed, 'newer record')} not indexed yet: try again in a moment.`] : [];
  if (hits.length === 0)
    return printLine(context, withCommandName(context, ['Nothing found.', ...notes, 'List what happened: piton events'].join(' ')));
  const more = hits.length === limit ? [`More: --limit ${limit * 10}.`] : [];
  const footer = [...more, ...notes, `One in full: ${commandName(context)} events show <id>`].join(' ');
  await showPaged(context, `${describeHits(context, hits)}\n${context.paint('dim', fitLines(footer, context.width))}\n`);
}

function filterOf(context: Context, options: Options): SearchQuery {
  return {
    ...(options.agent !== undefined && { agent: parseRecordedAgent(options.agent) }),
    ...(options.since !== undefined && { since: parseSinceOption(options.since) }),
    ...(options.here && { path: repositoryRoot(context) ?? context.cwd }),
    ...(options.branch !== undefined && { branch: options.branch }),
    ...(options.file !== undefined && { file: options.file }),
    ...(options.newest && { newest: true }),
  };
}

/** One that was asked for, or all but the one of the agent that asks. */
async function sessionsOf(context: Context, store: Store, { session }: Options): Promise<SearchQuery> {
  if (session !== undefined) return { session: (await requireSession(store, session)).id };
  const current = await currentSession(store, context.env);
  return current === undefined ? {} : { exceptSession: current };
}

async function withShortIds(store: Store, hits: readonly SearchHit[]): Promise<ListedHit[]> {
  const idOf = ({ event, session }: SearchHit): string => event?.eventId ?? session ?? '';
  const short = new Map<string, string>();
  for (const [kind, of] of [
    ['event', hits.filter(({ event }) => event !== null)],
    ['session', hits.filter(({ event }) => event === null)],
  ] as const) {
    const ids = of.map(idOf);
    for (const [at, id] of (await store.shortIds(kind, ids)).entries()) short.set(ids[at] ?? '', id);
  }
  return hits.map((hit) => ({ hit, shortId: short.get(idOf(hit)) ?? idOf(hit) }));
}
