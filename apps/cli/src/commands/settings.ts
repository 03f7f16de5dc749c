import { dirname } from 'node:path';
import type { Scope } from '@piton/contracts';
import { shellWord } from '@piton/contracts';
import { Command, Option } from 'commander';
import { evidenceOfAgent } from '../agents/under-agent.ts';
import { commandName } from '../command-name.ts';
import { type Context, printJson, printLine } from '../context.ts';
import { withExamples } from '../examples.ts';
import { Failure } from '../failure.ts';
import { type Change, changeJson, fileChange, ownChange, showDryRun } from '../install/change.ts';
import { readConfig, removeConfig } from '../install/config-file.ts';
import { type IgnoreFile, ignoreChange, planIgnore, removableIgnore, removeIgnore, writeIgnore } from '../install/ignore-file.ts';
import { hooksChanged } from '../last-resort.ts';
import { existingPlaces } from '../locations.ts';
import { showWarning } from '../output/show-failure.ts';
import { table } from '../output/table.ts';
import { truncate } from '../output/text.ts';
import { consent } from '../question.ts';
import { inForce, isKnownKey, settingOf, unknownKeyText } from '../settings/catalog.ts';
import { editSettings, parseValue, saveSettings, settingsModes, valueAt } from '../settings/edit.ts';
import { readSettings, SCOPES, type SettingsContent, type SettingsFile, settingsFile, settingsFiles } from '../settings/files.ts';

interface Options {
  readonly scope: Scope;
  readonly json?: boolean;
  readonly yes?: boolean;
  readonly dryRun?: boolean;
}

const scopeOption = (): Option => new Option('--scope <scope>', 'Which settings file').choices(SCOPES).default('user');

export function settingsCommand(context: Context): Command {
  const command = new Command('settings');
  command
    .command('list')
    .description('List every setting with its value, where it comes from and what it means (default)')
    .addOption(new Option('--scope <scope>', 'Only this settings file').choices(SCOPES))
    .option('--json', 'Print JSON')
    .action((options: Partial<Options>) => list(context, options));
  command
    .command('get')
    .description('Print one setting, or its default')
    .argument('<key>', 'Name of the setting. Use a.b for a nested one')
    .addOption(scopeOption())
    .option('--json', 'Print JSON')
    .action((key: string, options: Options) => get(context, key, options));
  command
    .command('set')
    .description('Change one setting in place. Comments and order are kept')
    .argument('<key>', 'Name of the setting')
    .argument('<value>', 'JSON or plain text')
    .addOption(scopeOption())
    .option('--dry-run', 'Show what would be changed, and change nothing')
    .option('--yes', 'Do not ask')
    .option('--json', 'Print JSON')
    .action((key: string, value: string, options: Options) => set(context, key, parseValue(value), options));
  command
    .command('unset')
    .description('Remove one setting')
    .argument('<key>', 'Name of the setting')
    .addOption(scopeOption())
    .option('--dry-run', 'Show what would be changed, and change nothing')
    .option('--yes', 'Do not ask')
    .option('--json', 'Print JSON')
    .action((key: string, options: Options) => set(context, key, undefined, options));
  command
    .command('path')
    .description('Print the path of the settings file')
    .addOption(scopeOption())
    .action((options: Options) => printLine(context, settingsFile(context, options.scope).path));
  return withExamples(command, [
    'settings',
    'settings get hooks_enabled',
    'settings set hooks_enabled false --scope project',
    'settings set checkpoints.strategy auto-commit --scope local',
    'settings path --scope local',
  ]);
}

async function list(context: Context, options: Partial<Options>): Promise<void> {
  const chosen = options.scope ? [settingsFile(context, options.scope)] : settingsFiles(context);
  const { checkSettings } = await import('../settings/check.ts');
  const files = chosen.map((file) => {
    const { values } = readSettings(file);
    const problems = checkSettings(values, file.scope);
    return { ...file, values, problems, ignored: problems.filter(({ kind }) => kind === 'invalid').map(({ key }) => key) };
  });
  const settings = inForce(files);
  if (options.json) {
    const shown = settings.map(({ key, value, byDefault, source, meaning }) => ({ key, value, default: byDefault, source, meaning }));
    return printJson(context, { settings: shown, files: files.map(({ scope, path, values }) => ({ scope, path, values })) });
  }
  context.out(
    table(context, settings, [
      { title: 'SETTING', value: ({ key }) => key },
      { title: 'VALUE', value: ({ value }) => truncate(shortValue(value), context.width < 100 ? 13 : 40) },
      { title: 'FROM', value: ({ source }) => source, colour: ({ source }) => (source === 'default' ? 'dim' : undefined) },
      { title: 'MEANING', value: ({ meaning }) => meaning, flexible: true },
    ]),
  );
  for (const { path, problems } of files) for (const { what } of problems) showWarning(context, `${path}: ${what}`);
  printLine(context, `\nChange one: ${commandName(context)} settings set <setting> <value>`);
}

/** Lists are counted: their entries have pages of their own. */
function shortValue(value: unknown): string {
  if (Array.isArray(value)) return value.every((each) => typeof each === 'string') ? value.join(', ') || 'none' : String(value.length);
  return typeof value === 'string' ? value : JSON.stringify(value);
}

function get(context: Context, key: string, options: Options): void {
  const file = settingsFile(context, options.scope);
  const value = valueAt(readSettings(file).values, key) ?? settingOf(key)?.byDefault;
  if (value === undefined && !isKnownKey(key))
    throw new Failure(unknownKeyText(key), { where: file.path, remedy: `list them: ${commandName(context)} settings` });
  if (value === undefined)
    throw new Failure(`${key} is not set in the ${options.scope} settings`, {
      where: file.path,
      remedy: `${commandName(context)} settings set ${shellWord(key)} <value>`,
    });
  if (options.json || typeof value === 'object') return printJson(context, value);
  printLine(context, String(value));
}

async function set(context: Context, key: string, value: unknown, options: Options): Promise<void> {
  const file = settingsFile(context, options.scope);
  if (value !== undefined && !isKnownKey(key))
    throw new Failure(unknownKeyText(key), {
      where: file.path,
      remedy: `list them: ${commandName(context)} settings. Nothing was changed`,
    });
  const { before, text } = editSettings(file, key, value);
  if (text !== null && text === (before.text ?? '')) return printUnchanged(context, key, value, options);
  if (text !== null) await refuseWrong(context, key, text, file);
  // Unless git ignores it, it would be committed, and then it looks like a file that came with a clone.
  const ignore = file.scope === 'local' && text !== null ? planIgnore(dirname(dirname(file.path))) : undefined;
  const unneeded = file.scope === 'local' && text === null ? removableIgnore(dirname(dirname(file.path)), [file.path]) : undefined;
  const changes = [
    ...changesFor(context, file, before, text, ignore),
    ...(unneeded ? [fileChange(unneeded, readConfig(unneeded).bytes, null, 'kept personal files out of git')] : []),
  ];
  if (options.dryRun) return showDryRun(context, changes, options.json === true);
  const command = `piton settings ${value === undefined ? 'unset' : 'set'} ${shellWord(key)}`;
  // Settings can disable guards, so under an agent this needs consent. A person in a terminal has just typed it.
  if (
    evidenceOfAgent(context.env) &&
    !(await consent(context, { question: `Change ${key} in ${file.path}?`, yes: options.yes === true, command }))
  )
    return;
  if (ignore) writeIgnore(ignore);
  saveSettings(file, before, text);
  const places = existingPlaces(context);
  if (places) await hooksChanged(places);
  // After that: a configuration that is not there is taken for one that cannot be seen, and what is kept of it stays.
  if (unneeded) removeIgnore(unneeded);
  else if (text === null) removeConfig(file.path, [dirname(file.path)]);
  if (options.json) return printJson(context, { key, value: value ?? null, file: file.path, changes: changes.map(changeJson) });
  printLine(context, value === undefined ? `${key} removed from ${file.path}` : `${key} = ${JSON.stringify(value)} in ${file.path}`);
  if (key === 'hooks_enabled') printLine(context, effectOfSwitch(value !== false, options.scope));
}

function printUnchanged(context: Context, key: string, value: unknown, { json, dryRun }: Options): void {
  if (json) return printJson(context, { ...(dryRun && { dryRun }), key, value: value ?? null, changes: [] });
  printLine(context, value === undefined ? `${key} was not set` : `${key} already has this value`);
}

function changesFor(
  context: Context,
  file: SettingsFile,
  before: SettingsContent,
  text: string | null,
  ignore: IgnoreFile | undefined,
): Change[] {
  const places = existingPlaces(context);
  return [
    fileChange(file.path, before.bytes, text, `your ${file.scope} settings`, before.bytes === null ? settingsModes(file).file : undefined),
    ...(ignore ? [ignoreChange(ignore)] : []),
    ...(places ? [ownChange(places.home, 'what holds without a server')] : []),
  ];
}

/** Takes effect at once. Switching on needs no review: only trusted copies of a project's hooks ever run. */
function effectOfSwitch(enabled: boolean, scope: Scope): string {
  const whose = scope === 'user' ? 'Your' : scope === 'project' ? "This project's" : 'Your local';
  if (!enabled) return `${whose} hooks no longer run. Recording and checkpoints continue.`;
  return `${whose} ${scope === 'user' ? '' : 'trusted '}hooks run from now on.`;
}

async function refuseWrong(context: Context, key: string, text: string, { path, scope }: SettingsFile): Promise<void> {
  const { checkSettings } = await import('../settings/check.ts');
  const { parse } = await import('jsonc-parser');
  for (const problem of checkSettings(parse(text) as Record<string, unknown>, scope)) {
    const concerns = problem.key === key || problem.key.startsWith(`${key}.`) || problem.key === key.split('.')[0];
    if (!concerns) continue;
    if (problem.kind === 'invalid' || problem.key.startsWith(`${key}.`))
      throw new Failure(problem.what, { where: path, remedy: `see \`${commandName(context)} schema settings\`. Nothing was changed` });
    showWarning(context, problem.what);
  }
}
