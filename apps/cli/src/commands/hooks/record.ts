import { existsSync, readdirSync, statSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { hookCaseText } from '@piton/artifacts';
import { Command } from 'commander';
import { shellPath, withCommandName } from '../../command-name.ts';
import { type Context, printJson, printLine } from '../../context.ts';
import { withExamples } from '../../examples.ts';
import { Failure } from '../../failure.ts';
import { readSession, type StoredSession } from '../../hook-tests/backtest/stored-events.ts';
import { chooseHook, noSuchHook } from '../../hook-tests/hook-under-test.ts';
import { recordedCase } from '../../hook-tests/recorded-case.ts';
import { hooksAt } from '../../hooks/in-force.ts';
import { SESSION_FORMS } from '../../ids/session.ts';
import { makeDirectories } from '../../install/config-file.ts';
import { requirePlaces } from '../../locations.ts';
import { readStore } from '../../open-store.ts';
import { parseEventOption } from '../../options/names.ts';
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
    .argument('<session>', SESSION_FORMS)
    .option('--out <folder>', 'Output folder (default: .piton/fixtures/<agent>-<session>/)')
    .option('--event <name>', 'Only this event')
    .option('--hook <hook>', 'Only events on which this hook ran, with its decision')
    .option('--json', 'Print JSON')
    .action((ref: string, options: Options) => run(context, ref, options));
  return withExamples(command, [
    'hooks record @',
    'hooks record @ --event pre_tool_use --out tests',
    'hooks record @ --hook no-rm-rf --out ~/cases',
  ]);
}

async function run(context: Context, ref: string, options: Options): Promise<void> {
  const places = requirePlaces(context);
  const hook = options.hook === undefined ? undefined : chooseHook(hooksAt(places, context.cwd), options.hook);
  if (options.hook !== undefined && hook === undefined) throw noSuchHook(options.hook);
  const stored = await readStore<StoredSession | undefined>(
    places,
    (store) => readSession(store, ref, parseEventOption(options.event)),
    undefined,
  );
  if (stored === undefined) throw new Failure(`no session starts with ${JSON.stringify(ref)}`, { remedy: 'nothing has been recorded yet' });
  const { session, events, expired } = stored;
  const cases = events.flatMap((event) => recordedCase(event, hook?.id) ?? []);
  if (cases.length === 0)
    throw new Failure('no events to make test cases of', {
      where: `${plural(events.length, 'event')} of ${session.id}`,
      remedy:
        expired > 0 ? `the bodies of ${plural(expired, 'event')} have expired` : `to see what is in it: piton sessions show ${session.id}`,
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
  printLine(context, `${plural(files.length, 'case')} in ${folder}`);
  if (expired > 0) printLine(context, `${plural(expired, 'event')} skipped: their bodies have expired`);
  printLine(context, context.paint('dim', 'They are redacted. Review them before you commit them.'));
  printLine(
    context,
    context.paint('dim', withCommandName(context, `Run a hook on them: piton hooks test <hook> --case ${shellPath(context, folder)}`)),
  );
}

function folderFor(context: Context, { out }: Options, name: string): string {
  const folder = out === undefined ? join(repositoryRoot(context) ?? context.cwd, '.piton', 'fixtures', name) : resolve(context.cwd, out);
  if (existsSync(folder) && !statSync(folder).isDirectory())
    throw new Failure('that is a file, not a folder', { where: folder, remedy: 'choose another with --out' });
  if (existsSync(folder) && readdirSync(folder).length > 0)
    throw new Failure('the folder is not empty', { where: folder, remedy: 'empty it, or choose another with --out' });
  return folder;
}
