import { chmodSync, existsSync, writeFileSync } from 'node:fs';
import { basename, dirname, join, relative } from 'node:path';
import { type EventName, shellWord } from '@piton/contracts';
import { ARTIFACT_FILE, isArtifactPath, isIgnored } from '@piton/hooks';
import { Command, Option } from 'commander';
import { evidenceOfAgent } from '../../agents/under-agent.ts';
import { shellPath, withCommandName } from '../../command-name.ts';
import { type Context, printJson, printLine } from '../../context.ts';
import { withExamples } from '../../examples.ts';
import { Failure, reasonOf } from '../../failure.ts';
import { hooksAt } from '../../hooks/in-force.ts';
import { FORMS, LANGUAGES, type NewHook, type NewHookRequest, planHook, TEMPLATES } from '../../hooks/new/plan.ts';
import { addSetting, settingChange, settingExists } from '../../hooks/new/setting.ts';
import { KINDS, type Kind } from '../../hooks/new/template.ts';
import { type Change, fileChange, ownChange, showDryRun } from '../../install/change.ts';
import { makeDirectories } from '../../install/config-file.ts';
import { ignoreChange, planIgnore, writeIgnore } from '../../install/ignore-file.ts';
import { hooksChanged } from '../../last-resort.ts';
import { existingPlaces, futureHome, hookPlaces, makePlaces } from '../../locations.ts';
import { parseEventOption } from '../../options/names.ts';
import { findHere } from '../../programs.ts';
import { requireRepository } from '../../repository.ts';
import { grant } from '../../trust/grant.ts';
import { projectHooks } from '../../trust/pending.ts';

interface Options {
  readonly as: NewHookRequest['as'];
  readonly scope: 'user' | 'project';
  readonly event?: string;
  readonly lang: NewHookRequest['lang'];
  readonly trust: boolean;
  readonly dryRun?: boolean;
  readonly json?: boolean;
}

export function hooksNewCommand(context: Context): Command {
  const command = new Command('new')
    .argument('<kind>', KINDS.join(', '))
    .argument('[name]', 'Name of the hook (default: its kind)')
    .addOption(new Option('--as <form>', 'Form of the hook').choices(FORMS).default('artifact'))
    .addOption(new Option('--scope <scope>', 'For you everywhere, or for this project').choices(['user', 'project']).default('user'))
    .option('--event <name>', 'Event to run on (default: depends on the kind)')
    .addOption(new Option('--lang <lang>', 'Language').choices(LANGUAGES).default('sh'))
    .option('--no-trust', 'Do not trust the new project hook')
    .option('--dry-run', 'Show what would be written, and write nothing')
    .option('--json', 'Print JSON')
    .action((kind: string, name: string | undefined, options: Options) => run(context, kind, name, options));
  return withExamples(command, [
    'hooks new guard no-force-push',
    'hooks new guard keep-env --event pre_file_edit --scope project',
    'hooks new formatter --as executable',
    'hooks new context --lang ts',
    'hooks new guard no-force-push --lang python',
  ]);
}

async function run(context: Context, kind: string, name: string | undefined, options: Options): Promise<void> {
  refuseUnderAgent(context, options);
  const request = requestOf(context, kind, name, options);
  const hook = planHook(request);
  refuseOverwrite(request, hook);
  refuseIgnored(request, hook);
  if (options.dryRun) return showDryRun(context, changesFor(context, request, hook, options.trust), options.json === true);
  write(request, hook);
  const trusted = request.root !== null && options.trust ? await trustNewHook(context, hook) : request.root === null;
  const places = existingPlaces(context);
  if (places) await hooksChanged(places);
  const files = hook.files.map(({ path }) => path);
  const settings = hook.setting === null ? null : join(request.base, 'settings.json');
  if (options.json) return printJson(context, { id: hook.id, event: request.event, files, settings, trusted });
  report(context, request, hook, trusted);
}

/** A new hook runs at once, or is trusted at once, so a person must create it. */
function refuseUnderAgent(context: Context, { scope, trust }: Options): void {
  const evidence = scope === 'project' && !trust ? undefined : evidenceOfAgent(context.env);
  if (evidence)
    throw new Failure(`creating a trusted hook is not allowed under an agent (${evidence})`, {
      remedy: 'run it in your own terminal, or leave trusting it to a person: --scope project --no-trust',
    });
}

function requestOf(context: Context, text: string, given: string | undefined, options: Options): NewHookRequest {
  const kind: Kind | undefined = KINDS.find((each) => each === text);
  if (!kind) throw new Failure(`no such kind: ${JSON.stringify(text)}`, { remedy: `use one of ${KINDS.join(', ')}`, usage: true });
  const name = given ?? kind;
  const pattern = options.as === 'artifact' ? /^[A-Za-z0-9][\w.-]*(\/[A-Za-z0-9][\w.-]*)*$/ : /^[A-Za-z0-9][\w.-]*$/;
  if (!pattern.test(name))
    throw new Failure(`${JSON.stringify(name)} is not a valid name`, { remedy: 'use letters, digits, dots and dashes', usage: true });
  if (options.as === 'executable' && options.lang === 'ts')
    throw new Failure('an executable hook cannot be TypeScript', { remedy: 'use --lang js, or --as artifact', usage: true });
  if (options.as === 'setting' && options.lang === 'python')
    throw new Failure('a setting cannot hold a Python program', { remedy: 'use --as artifact, or --as executable', usage: true });
  if (options.lang === 'python' && findHere(context, 'python3') === undefined)
    throw new Failure('python3 is not on your PATH, and the hook would not run', { remedy: 'install Python 3, or use --lang sh' });
  const root = options.scope === 'project' ? requireRepository(context) : null;
  const { config } = hookPlaces(context);
  const event = eventOf(kind, options.event);
  return { kind, name, as: options.as, event, lang: options.lang, base: root === null ? config : join(root, '.piton'), config, root };
}

function eventOf(kind: Kind, text: string | undefined): EventName {
  const { events, anyEvent } = TEMPLATES[kind];
  if (text === undefined) return events[0];
  const event = parseEventOption(text);
  if (anyEvent || events.includes(event)) return event;
  throw new Failure(`a ${kind} does not work on ${JSON.stringify(text)}`, { remedy: `use one of ${events.join(', ')}`, usage: true });
}

function refuseOverwrite(request: NewHookRequest, hook: NewHook): void {
  const there = [...(existsSync(hook.home) ? [hook.home] : []), ...hook.files.map(({ path }) => path).filter((path) => existsSync(path))];
  const taken = hook.setting !== null && settingExists(request) ? [join(request.base, 'settings.json')] : [];
  const [first] = [...there, ...taken];
  if (first !== undefined) throw new Failure(`${hook.id} already exists`, { where: first, remedy: 'use another name' });
}

/** Refuses names that Piton would ignore: a guard that does not run guards nothing. */
function refuseIgnored({ as, name, base }: NewHookRequest, { home }: NewHook): void {
  const another = { where: home, remedy: 'use another name', usage: true };
  if (as === 'executable' && isIgnored(home))
    throw new Failure(`${JSON.stringify(basename(home))} would be ignored, as notes and editor backups are`, another);
  if (as !== 'artifact') return;
  if (!isArtifactPath(name)) throw new Failure('Piton does not look for artifacts there', another);
  const parts = name.split('/');
  const around = parts.slice(0, -1).map((_, at) => join(base, 'artifacts', ...parts.slice(0, at + 1)));
  const [first] = around.filter((folder) => existsSync(join(folder, ARTIFACT_FILE)));
  if (first !== undefined) throw new Failure(`it would be inside another artifact: ${first}`, another);
}

const modesFor = ({ root }: NewHookRequest): { directory: number; file: number; program: number } =>
  root === null ? { directory: 0o700, file: 0o600, program: 0o700 } : { directory: 0o755, file: 0o644, program: 0o755 };

function changesFor(context: Context, request: NewHookRequest, hook: NewHook, trust: boolean): Change[] {
  const modes = modesFor(request);
  const ignore = request.root === null ? undefined : planIgnore(request.root);
  const trusts = request.root !== null && trust;
  return [
    ...hook.files.map(({ path, text, executable }) => fileChange(path, null, text, hook.id, executable ? modes.program : modes.file)),
    ...(hook.setting === null ? [] : [settingChange(request, hook.setting)]),
    ...(ignore ? [ignoreChange(ignore)] : []),
    ...(trusts || existingPlaces(context) ? [ownChange(futureHome(context), 'trust, and what holds without a server')] : []),
  ];
}

function write(request: NewHookRequest, hook: NewHook): void {
  const modes = modesFor(request);
  try {
    for (const { path, text, executable } of hook.files) {
      makeDirectories(dirname(path), modes.directory);
      // Never overwrite a file that appeared meanwhile.
      writeFileSync(path, text, { flag: 'wx', mode: modes.file });
      if (executable) chmodSync(path, modes.program);
    }
  } catch (error) {
    if (error instanceof Failure) throw error;
    throw new Failure(`cannot write the hook: ${reasonOf(error)}`, { where: hook.home });
  }
  if (hook.setting !== null) addSetting(request, hook.setting);
  const ignore = request.root === null ? undefined : planIgnore(request.root);
  if (ignore) writeIgnore(ignore);
}

/** The user asked for it just now, and every byte of it comes from our templates. */
async function trustNewHook(context: Context, hook: NewHook): Promise<boolean> {
  const places = makePlaces(context);
  const chosen = projectHooks(context, places).filter((each) => each.hook.id === hook.id);
  const { trusted, refused } = await grant(places, chosen, []);
  for (const { id, why } of refused) context.err(`${context.paint('red', '✗')} ${id} was not trusted: ${why}\n`);
  return trusted.length > 0;
}

function report(context: Context, request: NewHookRequest, hook: NewHook, trusted: boolean): void {
  const isOff = hooksAt(hookPlaces(context), context.cwd).find(({ id }) => id === hook.id)?.enabled === false;
  const shown = (path: string): string => (path.startsWith(`${context.cwd}/`) ? relative(context.cwd, path) : shellPath(context, path));
  printLine(
    context,
    `${context.paint('green', '✓')} ${hook.id} on ${request.event}: ${TEMPLATES[request.kind].description(request.event)}`,
  );
  for (const { path } of hook.files) printLine(context, `  ${shown(path)}`);
  if (hook.setting !== null) printLine(context, `  ${shown(join(request.base, 'settings.json'))}`);
  printLine(context);
  printLine(context, withCommandName(context, runState(hook, trusted, isOff)));
  const again = request.root === null ? '' : `, then run: piton trust ${shellWord(hook.id)}`;
  printLine(context, withCommandName(context, `Test it without an agent: piton hooks test ${shellWord(hook.id)}`));
  printLine(context, withCommandName(context, `Edit it as you need${again}`));
  printLine(context, withCommandName(context, 'See what it did: piton hooks list'));
}

function runState({ id }: NewHook, trusted: boolean, isOff: boolean): string {
  if (!trusted) return `It does not run yet: piton trust ${shellWord(id)}`;
  return isOff
    ? 'It does not run: hooks are disabled in these settings ("hooks_enabled": false).'
    : 'It now runs in every agent registered with Piton.';
}
