import { shellWord } from '@piton/contracts';
import type { Places } from '@piton/contracts/places';
import type { HookDefinition } from '@piton/hooks';
import { Command } from 'commander';
import { withCommandName } from '../../command-name.ts';
import { type Context, printJson, printLine } from '../../context.ts';
import { withExamples } from '../../examples.ts';
import { Failure } from '../../failure.ts';
import { count, harmlessNote, isHarmless, listOf } from '../../hook-tests/backtest/report.ts';
import { NO_RECORD, readShadowRecord, type ShadowRecord } from '../../hook-tests/backtest/shadow-record.ts';
import { chooseHook, noSuchHook } from '../../hook-tests/hook-under-test.ts';
import { declarationOf, type Mode, writeMode } from '../../hook-tests/mode-edit.ts';
import { hooksAt } from '../../hooks/in-force.ts';
import { hooksChanged } from '../../last-resort.ts';
import { requirePlaces } from '../../locations.ts';
import { readStore } from '../../open-store.ts';
import { plural } from '../../output/text.ts';
import { formatTime } from '../../output/time.ts';
import { consent } from '../../question.ts';
import { grant } from '../../trust/grant.ts';
import { differsOnlyInMode } from '../../trust/mode-change.ts';
import { projectHooks } from '../../trust/pending.ts';

interface Options {
  readonly shadow?: boolean;
  readonly yes?: boolean;
  readonly json?: boolean;
}

export function hooksPromoteCommand(context: Context): Command {
  const command = new Command('promote')
    .argument('<hook>', 'Hook ID or name')
    .option('--shadow', 'Switch back to shadow mode: it runs after the answer and is only recorded')
    .option('--yes', 'Do not ask. Ignored when an agent runs the command')
    .option('--json', 'Print JSON. Without --yes, only show the record')
    .action((ref: string, options: Options) => run(context, ref, options));
  return withExamples(command, ['hooks promote no-rm-rf', 'hooks promote no-rm-rf --yes', 'hooks promote no-rm-rf --shadow']);
}

async function run(context: Context, ref: string, options: Options): Promise<void> {
  const places = requirePlaces(context);
  const hook = chooseHook(hooksAt(places, context.cwd), ref);
  if (hook === undefined) throw noSuchHook(ref);
  const mode: Mode = options.shadow ? 'shadow' : 'enforce';
  refuse(hook);
  const record = await readStore(places, (store) => readShadowRecord(store, hook), NO_RECORD);
  const already = (hook.shadow === true) === (mode === 'shadow');
  if (options.json && (!options.yes || already)) return printJson(context, asJson(hook, record, false));
  if (already) return printLine(context, `${hook.id} is already ${mode === 'shadow' ? 'in shadow mode' : 'enforced'}`);
  if (!options.json && mode === 'enforce') context.out(describe(context, hook, record));
  const question = mode === 'shadow' ? `Put ${hook.id} in shadow mode, so that it blocks nothing?` : 'Enforce it?';
  const command = `piton hooks promote ${shellWord(hook.id)}${options.shadow ? ' --shadow' : ''}`;
  if (!(await consent(context, { question, yes: options.yes === true, command }))) return printLine(context, 'Nothing was changed.');
  writeMode(hook, mode);
  await trustAgain(context, places, hook);
  await hooksChanged(places);
  if (options.json) return printJson(context, asJson(hook, record, true));
  const done = mode === 'shadow' ? 'is in shadow mode: its decisions are recorded, not enforced' : 'is enforced from the next event on';
  printLine(context, `${context.paint('green', '✓')} ${hook.id} ${done}`);
  if (mode === 'enforce')
    printLine(context, context.paint('dim', withCommandName(context, `To undo: piton hooks promote ${shellWord(hook.id)} --shadow`)));
}

/** What was shown must be what is changed: the hook needs a mode, and its source must match the copy that runs. */
function refuse(hook: HookDefinition): void {
  if (declarationOf(hook) === 'executable')
    throw new Failure(`${hook.id} is an executable: it has no mode and is always enforced`, {
      where: hook.source,
      remedy: 'to try it first, make it an artifact with `mode: shadow`, or run: piton hooks backtest',
    });
  const { status } = hook;
  if (status.kind !== 'ready')
    throw new Failure(`${hook.id} cannot be promoted: ${status.note}`, {
      where: hook.source,
      remedy: status.kind === 'changed' || status.kind === 'not-trusted' ? 'review it first: piton trust' : 'fix it first',
    });
}

/** Trusts the source again. It differs from the trusted copy only in the mode that the user confirmed. */
async function trustAgain(context: Context, places: Places, hook: HookDefinition): Promise<void> {
  if (hook.root === null) return;
  const found = projectHooks(context, places).filter((each) => each.hook.id === hook.id && each.root === hook.root);
  // Somebody may have edited the source since it was compared with the copy.
  const chosen = found.filter((each) => differsOnlyInMode(each.hook));
  const { refused } = await grant(places, chosen, []);
  const [first] = refused;
  if (first !== undefined || chosen.length === 0)
    throw new Failure(`the mode was changed, but the new copy is not trusted${first === undefined ? '' : `: ${first.why}`}`, {
      where: hook.source,
      remedy: `run \`piton trust ${shellWord(hook.id)}\``,
    });
}

function describe(context: Context, hook: HookDefinition, { firstUs, lastUs, runs, failures, calls }: ShadowRecord): string {
  const { paint } = context;
  const by = (word: string) => calls.filter(({ said }) => said === word);
  if (firstUs === null || lastUs === null)
    return `${paint('bold', hook.id)}  on ${hook.event}\n${paint('yellow', 'It has not run in shadow mode yet.')} ${withCommandName(context, 'To see what it would block: piton hooks backtest')}\n\n`;
  const lines = [
    `${paint('bold', hook.id)}  on ${hook.event}, in shadow mode since ${formatTime(firstUs / 1000)}, last run ${formatTime(lastUs / 1000)}`,
    ...listOf(context, 'would have denied, but they succeeded', by('deny').filter(isHarmless)),
    ...listOf(
      context,
      'would have denied',
      by('deny').filter((call) => !isHarmless(call)),
    ),
    ...listOf(context, 'would have asked', by('ask')),
    ...listOf(context, 'would have changed', by('modify')),
    '',
    `Would have denied ${count(by('deny').length)} of ${plural(runs, 'call')}${harmlessNote(by('deny'))}.`,
    ...(by('ask').length > 0 ? [`Would have asked about ${count(by('ask').length)}${harmlessNote(by('ask'))}.`] : []),
    ...(by('modify').length > 0 ? [`Would have changed ${count(by('modify').length)}.`] : []),
    ...(failures > 0 ? [paint('red', `It failed ${plural(failures, 'time')}.`)] : []),
    '',
  ];
  return `${lines.join('\n')}\n`;
}

function asJson(hook: HookDefinition, { firstUs, lastUs, runs, failures, calls }: ShadowRecord, changed: boolean): object {
  const at = (us: number | null): string | null => (us === null ? null : new Date(us / 1000).toISOString());
  const by = (word: string) => calls.filter(({ said }) => said === word);
  return {
    hook: hook.id,
    mode: (hook.shadow === true) === changed ? 'enforce' : 'shadow',
    changed,
    shadow: {
      since: at(firstUs),
      last: at(lastUs),
      ...{ runs, failures, denied: by('deny').length, asked: by('ask').length, modified: by('modify').length },
      denied_ran_without_harm: by('deny').filter(isHarmless).length,
      calls: calls.map(({ eventId, agent, session, wallUs, subject, said, reason, fate }) => ({
        ...{ event_id: eventId, at: at(wallUs), agent, session, subject, said, reason, fate },
      })),
    },
  };
}
