import { existsSync, readdirSync, statSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { hookCaseText } from '@piton/artifacts';
import { Command } from 'commander';
import { chooseHook, noSuchHook } from '../../bench/hook-under-test.ts';
import { recordedCase } from '../../bench/recorded-case.ts';
import { readSession, type StoredSession } from '../../bench/stored-events.ts';
import { wishedEvent } from '../../bench/wishes.ts';
import { spelled, typed } from '../../command-name.ts';
import { type Context, printJson, say } from '../../context.ts';
import { withExamples } from '../../examples.ts';
import { Failure } from '../../failure.ts';
import { hooksAt } from '../../hooks-in-force.ts';
import { makeDirectories } from '../../install/config-file.ts';
import { requirePlaces } from '../../locations.ts';
import { readStore } from '../../open-store.ts';
import { plural } from '../../output/text.ts';
import { repositoryRoot } from '../../repository.ts';

interface Options {
  readonly out?: string;
  readonly event?: string;
  readonly hook?: string;
  readonly json?: boolean;
}

export function hooksRecordCommand(context: Context): Command {
  const command = new Command('record')
    .description('write what an agent said in a session as cases for `hooks test`, with what was decided then')
    .argument('<session>', "its id, the agent's own id of it, or a unique beginning of either")
    .option('--out <folder>', 'where to (default: .piton/fixtures/<agent>-<session>/)')
    .option('--event <name>', 'only this event')
    .option('--hook <hook>', 'only where this hook ran, and what it said')
    .option('--json', 'as JSON')
    .action((ref: string, options: Options) => run(context, ref, options));
  return withExamples(command, [
    'hooks record 01K',
    'hooks record 01K --event pre_tool_use --out tests',
    'hooks record 01K --hook no-rm-rf --out ~/cases',
  ]);
}

async function run(context: Context, ref: string, options: Options): Promise<void> {
  const places = requirePlaces(context);
  const hook = options.hook === undefined ? undefined : chooseHook(hooksAt(places, context.cwd), options.hook);
  if (options.hook !== undefined && hook === undefined) throw noSuchHook(options.hook);
  const stored = await readStore<StoredSession | undefined>(
    places,
    (store) => readSession(store, ref, wishedEvent(options.event)),
    undefined,
  );
  if (stored === undefined) throw new Failure(`no session begins with ${JSON.stringify(ref)}`, { remedy: 'nothing was recorded yet' });
  const { session, events, expired } = stored;
  const cases = events.flatMap((event) => recordedCase(event, hook?.id) ?? []);
  if (cases.length === 0)
    throw new Failure('there is nothing to make a case of', {
      where: `${plural(events.length, 'event')} of ${session.id}`,
      remedy: expired > 0 ? `the bodies of ${plural(expired, 'event')} were dropped by age` : 'look at it: piton sessions show <id>',
    });
  const folder = folderFor(context, options, `${session.agent}-${session.id}`);
  makeDirectories(folder, 0o755);
  const digits = String(cases.length).length;
  const files = cases.map((one, at) => {
    const file = join(folder, `${String(at + 1).padStart(digits, '0')}-${one.event}.json`);
    writeFileSync(file, hookCaseText(one), { mode: 0o600, flag: 'wx' });
    return file;
  });
  if (options.json) return printJson(context, { session: session.id, agent: session.agent, folder, files, expired });
  say(context, `${plural(files.length, 'case')} in ${folder}`);
  if (expired > 0) say(context, `${plural(expired, 'event')} left out: their bodies were dropped by age`);
  say(context, context.paint('dim', 'They are redacted as they are stored; look at them before you commit them.'));
  say(context, context.paint('dim', spelled(context, `To run a hook on them: piton hooks test <hook> --case ${typed(context, folder)}`)));
}

function folderFor(context: Context, { out }: Options, name: string): string {
  const folder = out === undefined ? join(repositoryRoot(context) ?? context.cwd, '.piton', 'fixtures', name) : resolve(context.cwd, out);
  if (existsSync(folder) && !statSync(folder).isDirectory())
    throw new Failure('there is a file, and no folder', { where: folder, remedy: 'give another with --out' });
  if (existsSync(folder) && readdirSync(folder).length > 0)
    throw new Failure('there is something in that folder already', { where: folder, remedy: 'remove it, or give another with --out' });
  return folder;
}
