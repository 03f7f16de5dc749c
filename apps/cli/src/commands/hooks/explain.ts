import { findAgent } from '@piton/agents';
import { shellWord } from '@piton/contracts';
import type { HookDefinition } from '@piton/hooks';
import type { EventDetail, Store } from '@piton/store';
import { Command } from 'commander';
import { evidenceOfAgent } from '../../agents/under-agent.ts';
import { shellPath, withCommandName } from '../../command-name.ts';
import { type Context, printAsIs, printJson, printLine } from '../../context.ts';
import { describePitonEvent } from '../../events/piton-events.ts';
import { withExamples } from '../../examples.ts';
import { Failure } from '../../failure.ts';
import { type Explanation, explain } from '../../hooks/explanation.ts';
import { hooksAt } from '../../hooks/in-force.ts';
import { deniers, saveWrongDeny, type WrongDeny } from '../../hooks/wrong-deny.ts';
import { type FoundEvent, requireEvent } from '../../ids/event.ts';
import { ID_FORMS } from '../../ids/latest.ts';
import { hookPlaces, requirePlaces } from '../../locations.ts';
import { readStore } from '../../open-store.ts';
import { indent, printable } from '../../output/text.ts';

interface Options {
  readonly wrong?: string | true;
  readonly hook?: string;
  readonly json?: boolean;
}

export function hooksExplainCommand(context: Context): Command {
  const command = new Command('explain')
    .argument('[event]', `Event ${ID_FORMS} (default: the latest that was denied)`)
    .option('--wrong [why]', 'The deny was wrong: save the event as a test case that expects no decision')
    .option('--hook <id>', 'With --wrong: the hook that was wrong. Required if several denied')
    .option('--json', 'Print JSON')
    .action((id: string | undefined, options: Options) => run(context, id, options));
  return withExamples(command, [
    'hooks explain',
    'hooks explain @',
    'hooks explain --wrong "the folder is generated"',
    'hooks explain @~2 --json',
  ]);
}

async function run(context: Context, id: string | undefined, options: Options): Promise<void> {
  const found = await readStore<FoundEvent | undefined>(
    requirePlaces(context),
    async (store) => requireEvent(store, id ?? (await latestDenied(store))),
    undefined,
  );
  if (!found) throw new Failure('nothing has been recorded yet', { remedy: 'test the setup: piton status' });
  // No hook decides on the events that Piton emits, so there is less to show.
  if (found.of === 'piton') {
    if (options.wrong !== undefined)
      throw new Failure('no hook denied it: Piton emitted it', { remedy: 'find the call: piton events --denied' });
    if (options.json) return printJson(context, { ...found.event.event, runs: found.event.runs });
    return context.out(describePitonEvent(context, found.event));
  }
  const { event } = found;
  const explanation = explain(event, findAgent(event.agent));
  const wrong = options.wrong === undefined ? undefined : markWrong(context, event, options);
  if (options.json) return printJson(context, { ...explanation, ...(wrong && { wrong }) });
  print(context, explanation);
  for (const each of wrong ?? []) printWrongDeny(context, each);
}

async function latestDenied(store: Store): Promise<string> {
  const [latest] = await store.events({ denied: true, derived: false, limit: 1 });
  if (latest) return latest.eventId;
  throw new Failure('nothing was denied yet', { remedy: 'name an event: piton events, or @ for the latest' });
}

function print(context: Context, { happened, considered, hooks, decided, told: delivery, answer, took }: Explanation): void {
  printLine(context, printable(happened));
  printLine(context);
  printLine(context, printable(considered));
  for (const sentence of hooks) printLine(context, printable(`- ${sentence}`));
  printLine(context);
  for (const sentence of [decided, ...delivery]) printLine(context, printable(sentence));
  if (answer) {
    printLine(context, `Native answer (exit ${answer.exitCode}):`);
    for (const text of [answer.stdout, answer.stderr]) if (text) printAsIs(context, indent(printable(text.trimEnd())));
  }
  if (took) printLine(context, `\n${took}`);
}

function markWrong(context: Context, event: EventDetail, options: Options): WrongDeny[] {
  // A person must say that a deny was wrong: the guard is tested against it.
  const sign = evidenceOfAgent(context.env);
  if (sign) throw new Failure(`--wrong is not allowed under an agent (${sign})`, { remedy: 'run it in your own terminal' });
  const all = deniers(event);
  const chosen = options.hook === undefined ? all : all.filter((hook) => hook === options.hook || hook.endsWith(`/${options.hook}`));
  if (all.length === 0) throw new Failure(`no hook denied ${event.eventId}`, { remedy: 'find the event: piton events --search …' });
  if (chosen.length === 0)
    throw new Failure(`${JSON.stringify(options.hook)} did not deny ${event.eventId}`, { remedy: `these did: ${all.join(', ')}` });
  if (chosen.length > 1)
    throw new Failure(`${chosen.length} hooks denied ${event.eventId}`, {
      remedy: `name the one that was wrong, once for each: ${chosen.map((hook) => `--hook ${shellWord(hook)}`).join(', ')}`,
    });
  const places = hookPlaces(context);
  const here = hooksAt(places, event.projectPath);
  const why = typeof options.wrong === 'string' ? options.wrong : '';
  return chosen.map((id) => saveWrongDeny(places.config, ownerOf(event, id, here), event, why));
}

/** The hook may have been deleted or moved since. Its ID and the event's project are enough. */
function ownerOf(
  event: EventDetail,
  id: string,
  here: readonly HookDefinition[],
): Pick<HookDefinition, 'id' | 'scope' | 'root' | 'source'> {
  const known = here.find((hook) => hook.id === id);
  if (known) return known;
  const scope = id.startsWith('user:') ? 'user' : id.startsWith('local:') ? 'local' : 'project';
  return { id, scope, root: scope === 'user' ? null : (event.repo ?? event.projectPath), source: '' };
}

function printWrongDeny(context: Context, { hook, file, written }: WrongDeny): void {
  printLine(context);
  printLine(context, written ? `Saved as a test case in which ${hook} makes no decision:` : `Already saved as a test case of ${hook}:`);
  printLine(context, `  ${shellPath(context, file)}`);
  printLine(context, withCommandName(context, `Change the hook, then run: piton hooks test ${shellWord(hook)}`));
}
