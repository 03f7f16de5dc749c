import type { LintFinding } from '@piton/artifacts';
import { PERMISSIONS, type Permission } from '@piton/hooks';
import { Command } from 'commander';
import { withCommandName } from '../command-name.ts';
import { type Context, printJson, printLine } from '../context.ts';
import { withExamples } from '../examples.ts';
import { Failure } from '../failure.ts';
import { ownChange, showDryRun } from '../install/change.ts';
import { showFindings } from '../lint/show-findings.ts';
import { makePlaces } from '../locations.ts';
import { showPaged } from '../output/pager.ts';
import { visibleText } from '../output/visible-text.ts';
import { consent } from '../question.ts';
import { artifactErrors } from '../trust/artifact-errors.ts';
import { askAbout } from '../trust/ask.ts';
import { grant } from '../trust/grant.ts';
import { listTrusted } from '../trust/listing.ts';
import { chooseHooks, isPending, lacksPermission, type ProjectHook, projectHooks } from '../trust/pending.ts';
import { reviewOf } from '../trust/review.ts';
import { reviewJson } from '../trust/review-json.ts';

const NO_HOOKS = 'This project has no hooks. Add them in .piton/hooks/<event>/ or .piton/settings.json.';

interface Options {
  readonly all?: boolean;
  readonly yes?: boolean;
  readonly may?: string;
  readonly json?: boolean;
  readonly list?: boolean;
  readonly show?: boolean;
  readonly dryRun?: boolean;
}

export function trustCommand(context: Context): Command {
  const command = new Command('trust')
    .argument('[hook...]', 'Hooks to trust (default: all untrusted or changed ones)')
    .option('--all', 'All untrusted or changed hooks, for use with --yes')
    .option('--may <what>', 'Also permit these decisions: allow,modify')
    .option('--yes', 'Do not ask. Ignored when an agent runs the command')
    .option('--dry-run', 'Show what would be changed, and change nothing')
    .option('--list', 'List trusted hooks of all projects, with dates and permissions')
    .option('--show', 'Show the hooks whole, however long, and ask nothing')
    .option('--json', 'Print JSON. Without --yes, only list')
    .action((names: string[], options: Options) => run(context, names, options));
  return withExamples(command, ['trust', 'trust 10-no-rm-rf', 'trust --show', 'trust --list', 'trust --all --yes', 'trust --json']);
}

async function run(context: Context, names: readonly string[], options: Options): Promise<void> {
  const may = parseMay(options.may);
  const places = makePlaces(context);
  if (options.list) return refuseBoth(names, options) ?? listTrusted(context, places, options.json === true);
  const all = projectHooks(context, places);
  if (options.show) return showWhole(context, all, names, options);
  if (options.json && !options.yes && !options.dryRun)
    return printJson(
      context,
      all.map(({ hook, root }) => reviewJson(hook, root, false)),
    );
  const chosen =
    names.length > 0 ? chooseHooks(all, names) : all.filter((each) => isPending(each) || (may !== undefined && lacksPermission(each, may)));
  const errors = options.json ? [] : artifactErrors(context, places);
  if (errors.length > 0) showArtifactErrors(context, errors);
  if (options.dryRun) {
    const what = chosen.map(({ hook }) => visibleText(hook.id)).join(', ');
    return showDryRun(context, chosen.length === 0 ? [] : [ownChange(places.home, `trusted copies of ${what}`)], options.json === true);
  }
  if (names.length === 0 && chosen.length === 0) return printNothingToTrust(context, all, errors, options);
  if (options.yes && names.length === 0 && !options.all)
    throw new Failure('--yes needs the hooks to trust', { remedy: 'name them, or use --all', usage: true });

  const accepted = options.yes ? await acceptAll(context, chosen, options) : await askEach(context, chosen);
  const { trusted, refused } = await grant(places, accepted, may ?? []);
  if (refused.length > 0) context.exit.code = 1;
  if (options.json) return printJson(context, { trusted: trusted.map(({ id }) => id), refused });
  for (const { id, may: given, kept } of trusted)
    printLine(
      context,
      `${context.paint('green', '✓')} ${visibleText(id)} is trusted${given.length > 0 ? `, and may ${given.join(' and ')}` : ''}${kept ? withCommandName(context, ' as before. To withdraw that: piton untrust') : ''}`,
    );
  for (const { id, why } of refused) context.err(`${context.paint('red', '✗')} ${visibleText(id)} was not trusted: ${why}\n`);
}

/** Artifacts with errors cannot be chosen, so their errors come first. */
function showArtifactErrors(context: Context, errors: readonly LintFinding[]): void {
  context.exit.code = 1;
  context.err(`${context.paint('red', '✗')} cannot be trusted until fixed:\n\n`);
  showFindings({ ...context, out: context.err }, errors);
}

function refuseBoth(names: readonly string[], { yes, all, may, show }: Options): void {
  if (names.length > 0 || yes || all || show || may !== undefined)
    throw new Failure('--list takes no hooks and no other option', { remedy: 'drop the rest, or drop --list', usage: true });
}

function printNothingToTrust(context: Context, all: readonly ProjectHook[], errors: readonly LintFinding[], options: Options): void {
  if (options.json) return printJson(context, { trusted: [], refused: [] });
  const broken = all.filter(({ hook }) => hook.problem !== undefined && !errors.some(({ file }) => file === hook.source));
  for (const { hook } of broken) context.out(`${reviewOf(context, hook).text}\n`);
  if (all.length + errors.length === 0) return printLine(context, NO_HOOKS);
  printLine(
    context,
    broken.length + errors.length > 0
      ? 'Nothing can be trusted until it is fixed.'
      : 'Nothing to do: every hook of this project is trusted.',
  );
}

/** Everything that would be pinned, for a reader or a program. */
async function showWhole(
  context: Context,
  all: readonly ProjectHook[],
  names: readonly string[],
  { yes, may, json }: Options,
): Promise<void> {
  if (yes || may !== undefined) throw new Failure('--show only shows', { remedy: 'drop the rest, or drop --show', usage: true });
  const chosen = names.length > 0 ? chooseHooks(all, names) : all;
  if (json)
    return printJson(
      context,
      chosen.map(({ hook, root }) => reviewJson(hook, root, true)),
    );
  if (chosen.length === 0) return printLine(context, NO_HOOKS);
  const shown = new Map<string, string>();
  // Whatever changed, all of what lies there now.
  const texts = chosen.map(({ hook }) => reviewOf(context, { ...hook, old: null }, { whole: true, shown }).text);
  await showPaged(context, texts.join('\n'));
}

async function acceptAll(context: Context, chosen: readonly ProjectHook[], options: Options): Promise<readonly ProjectHook[]> {
  await consent(context, { question: '', yes: true, command: 'piton trust' });
  if (!options.json) showAll(context, chosen);
  return chosen;
}

function showAll(context: Context, chosen: readonly ProjectHook[]): void {
  const shown = new Map<string, string>();
  for (const { hook } of chosen) context.out(`${reviewOf(context, hook, { shown }).text}\n`);
}

async function askEach(context: Context, chosen: readonly ProjectHook[]): Promise<ProjectHook[]> {
  const accepted: ProjectHook[] = [];
  // Without a terminal, show all of them before failing.
  if (!context.interactive) showAll(context, chosen);
  const shown = new Map<string, string>();
  for (const each of chosen) if (await askAbout(context, each, shown)) accepted.push(each);
  return accepted;
}

function parseMay(text: string | undefined): Permission[] | undefined {
  if (text === undefined) return undefined;
  return text.split(',').map((word) => {
    const found = PERMISSIONS.find((permission) => permission === word.trim());
    if (found) return found;
    throw new Failure(`--may accepts ${PERMISSIONS.join(' and ')}, not ${JSON.stringify(word)}`, { usage: true });
  });
}
