import type { Checkpoint, Checkpoints } from '@piton/checkpoints';
import { shellWord } from '@piton/contracts';
import { Command } from 'commander';
import { blameHere, lineJson, writtenBy } from '../../checkpoints/blame.ts';
import { displayTitle } from '../../checkpoints/checkpoint-name.ts';
import { openHere } from '../../checkpoints/current-repository.ts';
import { pushesOf, pushJson, pushLine } from '../../checkpoints/pushes.ts';
import { withCommandName } from '../../command-name.ts';
import { type Context, printJson, printLine } from '../../context.ts';
import { withExamples } from '../../examples.ts';
import { Failure } from '../../failure.ts';
import { storyOf } from '../../handoff/story.ts';
import { briefId, checkpointsNamed, chooseCheckpoint } from '../../ids/checkpoint.ts';
import { requirePlaces } from '../../locations.ts';
import { readStore } from '../../open-store.ts';
import { oneLine, plural, replaceControls } from '../../output/text.ts';

export function explainCommand(context: Context): Command {
  const command = new Command('explain')
    .argument('<what>', 'A commit, a checkpoint or turn by its ID or a unique prefix of it, or file:line')
    .option('--json', 'Print JSON')
    .action((what: string, options: { json?: boolean }) => run(context, what, options));
  return withExamples(command, ['explain HEAD', 'explain src/login.ts:12', 'explain 01M7GEHW']);
}

async function run(context: Context, what: string, options: { json?: boolean }): Promise<void> {
  const checkpoints = await openHere(context);
  const line = /^(.+):(\d+)$/s.exec(what);
  if (line?.[1] && line[2]) return explainLine(context, checkpoints, line[1], Number(line[2]), options);
  const all = await checkpoints.listAll();
  if (checkpointsNamed(all, what).length > 0) {
    const { id: chosen } = chooseCheckpoint(all, what);
    return explainCheckpoint(context, all.find(({ id }) => id === chosen) as Checkpoint, options);
  }
  return explainCommit(context, checkpoints, all, what, options);
}

/** The prompt that started the turn, redacted, as it is stored. */
async function promptOf(context: Context, turn: string | null): Promise<string | null> {
  if (turn === null) return null;
  const found = await readStore(requirePlaces(context), (store) => store.event(turn), { found: 'none' } as const);
  return found.found === 'one' ? found.value.prompt : null;
}

async function explainLine(
  context: Context,
  checkpoints: Checkpoints,
  file: string,
  number: number,
  { json }: { json?: boolean },
): Promise<void> {
  const line = (await blameHere(context, checkpoints, file)).find((each) => each.line === number);
  if (!line) throw new Failure('no such line', { where: `${replaceControls(file)}:${number}` });
  const prompt = await promptOf(context, line.checkpoint?.turn ?? null);
  if (json) return printJson(context, { ...lineJson(line), prompt });
  printLine(context, `${replaceControls(file)}:${number}  ${oneLine(line.text)}`);
  printLine(context, `written by ${writtenBy(line)}${line.commit ? `, in commit ${line.commit.slice(0, 10)}` : ', not committed yet'}`);
  if (line.checkpoint) await printCheckpoint(context, line.checkpoint, prompt, line.by === 'human' ? line.checkpoint : line);
}

async function explainCheckpoint(context: Context, checkpoint: Checkpoint, { json }: { json?: boolean }): Promise<void> {
  const prompt = await promptOf(context, checkpoint.turn);
  if (json) return printJson(context, { ...checkpoint, at: checkpoint.at.toISOString(), skipped: checkpoint.skipped.length, prompt });
  await printCheckpoint(context, checkpoint, prompt);
}

/** The last: whose it is, since one agent may have committed what another has done. */
async function printCheckpoint(
  context: Context,
  one: Checkpoint,
  prompt: string | null,
  { session: ref, agent }: Pick<Checkpoint, 'session' | 'agent'> = one,
): Promise<void> {
  const session = ref && (await shortSession(context, ref));
  printLine(context, `checkpoint ${briefId(one)}: ${displayTitle(one)}`);
  if (session) printLine(context, sessionLine(session, agent));
  if (ref) await printStory(context, ref);
  if (prompt) printLine(context, promptLine(prompt));
  // One a line: each is there to be pasted.
  const commands = [`piton checkpoints show ${briefId(one)}`, ...(session ? [`piton sessions show ${shellWord(session)}`] : [])];
  for (const command of commands) printLine(context, withCommandName(context, `           ${command}`));
}

/** Work that was handed from agent to agent is one story. */
async function printStory(context: Context, ref: string): Promise<void> {
  const story = await readStore(
    requirePlaces(context),
    async (store) => {
      const found = await store.session(ref);
      return found.found === 'one' ? await storyOf(store, found.value) : [];
    },
    [],
  );
  if (story.length > 1) printLine(context, `story      ${oneLine(story.map(({ id, agent }) => `${agent} ${id}`).join(' → '))}`);
}

const sessionLine = (session: string, agent: string | null): string => `session    ${oneLine(`${session}${agent ? `, ${agent}` : ''}`)}`;

/** As `piton sessions` lists it. The agent's own ID, where the store does not know the session. */
async function shortSession(context: Context, session: string): Promise<string> {
  return readStore(
    requirePlaces(context),
    async (store) => {
      const found = await store.session(session);
      return found.found === 'one' ? ((await store.shortIds('session', [found.value.id]))[0] ?? session) : session;
    },
    session,
  );
}

const promptLine = (prompt: string, checkpoint?: string): string =>
  `prompt     ${checkpoint ? `${briefId({ id: checkpoint })}  ` : ''}${oneLine(prompt.trim().split('\n')[0] ?? '')}`;

const sessionsOf = (some: readonly Checkpoint[]): ReadonlyMap<string, string | null> =>
  new Map(some.flatMap(({ workOf, workAgent }) => (workOf === null ? [] : [[workOf, workAgent] as const])));

interface Prompt {
  readonly checkpoint: string;
  readonly session: string | null;
  readonly agent: string | null;
  readonly prompt: string;
}

/**
 * The prompts of the turns that these checkpoints belong to, each turn once. A `prompt` checkpoint precedes the work of its turn,
 * so it does not count.
 */
async function promptsOf(context: Context, some: readonly Checkpoint[]): Promise<Prompt[]> {
  const turns = new Map(some.flatMap((one) => (one.turn === null || one.kind === 'prompt' ? [] : [[one.turn, one] as const])));
  const found: Prompt[] = [];
  for (const [turn, { id, workOf: session, workAgent: agent }] of turns) {
    const prompt = await promptOf(context, turn);
    if (prompt) found.push({ checkpoint: id, session, agent, prompt });
  }
  return found;
}

async function explainCommit(
  context: Context,
  checkpoints: Checkpoints,
  all: readonly Checkpoint[],
  rev: string,
  { json }: { json?: boolean },
): Promise<void> {
  const found = await checkpoints.attributeCommit(rev);
  if (found === null)
    throw new Failure(`${JSON.stringify(rev)} is not a commit or checkpoint here`, { remedy: 'for a line, use file:line' });
  const pushes = await pushesOf(context, checkpoints, found.commit);
  const { written, ...numbers } = found;
  const linked = found.checkpoints.flatMap((id) => all.find((each) => each.id === id) ?? []);
  const prompts = await promptsOf(context, [...written, ...linked]);
  if (json) return printJson(context, { ...numbers, prompts, pushes: pushes.map(pushJson) });
  const total = found.agent + found.human + found.shared;
  const share = (count: number): string => (total === 0 ? '' : ` (${Math.round((100 * count) / total)} %)`);
  printLine(context, `commit ${found.commit.slice(0, 10)}: ${plural(total, 'line')} added, ${found.removed} removed`);
  if (total > 0)
    printLine(
      context,
      `  by agents ${found.agent}${share(found.agent)}, by you ${found.human}${share(found.human)}${found.shared ? `, shared (agent or you) ${found.shared}${share(found.shared)}` : ''}`,
    );
  if (found.binary > 0) printLine(context, `  ${plural(found.binary, 'binary file')}`);
  for (const one of linked) await printCheckpoint(context, one, null);
  // If no git hook saw the commit, only its lines show which sessions wrote it.
  if (linked.length === 0)
    for (const [session, agent] of sessionsOf(written)) printLine(context, sessionLine(await shortSession(context, session), agent));
  for (const { prompt, checkpoint } of prompts) printLine(context, promptLine(prompt, checkpoint));
  for (const push of pushes) printLine(context, pushLine(push));
  if (found.checkpoints.length === 0 && written.length === 0) printLine(context, 'Piton knows of no agent that worked on it.');
}
