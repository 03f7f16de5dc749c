import { shellWord } from '@piton/contracts';
import { Command, Option } from 'commander';
import { acceptOffer, explainedError, fromOffer, offerJson, planOffer, refuseUnderAgent } from '../../catalogue/accept.ts';
import { type AddedHook, addedHooks, chooseAdded } from '../../catalogue/added-hooks.ts';
import { type Offer, refetch } from '../../catalogue/offer.ts';
import { type Staging, withStaging } from '../../catalogue/staging.ts';
import { type Context, printJson, printLine } from '../../context.ts';
import { withExamples } from '../../examples.ts';
import { Failure } from '../../failure.ts';
import { showDryRun } from '../../install/change.ts';
import { type AddPlan, addChanges, addHook } from '../../library/add.ts';
import { addedJson, describeAdded } from '../../library/describe.ts';
import { type AddScope, SCOPES } from '../../library/target.ts';

interface Options {
  readonly scope: AddScope;
  readonly all?: boolean;
  readonly cases: boolean;
  readonly force?: boolean;
  readonly yes?: boolean;
  readonly dryRun?: boolean;
  readonly json?: boolean;
}

export function hooksUpdateCommand(context: Context): Command {
  const command = new Command('update')
    .argument('[name...]', 'Names of hooks that were added')
    .option('--all', 'All that were added')
    .addOption(new Option('--scope <scope>', 'Yours everywhere, or of this project').choices(SCOPES).default('user'))
    .option('--no-cases', 'Do not run the test cases that come with it')
    .option('--force', 'Overwrite hooks that were changed')
    .option('--yes', 'Do not ask. Ignored when an agent runs the command')
    .option('--dry-run', 'Show what would be changed, and change nothing')
    .option('--json', 'Print JSON')
    .action((names: string[], options: Options) => run(context, names, options));
  return withExamples(command, ['hooks update no-force-push', 'hooks update --all', 'hooks update --all --dry-run']);
}

async function run(context: Context, names: readonly string[], options: Options): Promise<void> {
  refuseUnderAgent(context, 'updating');
  if (names.length === 0 && !options.all) throw new Failure('Name the hooks to update, or use --all', { usage: true });
  if (names.length > 0 && options.all) throw new Failure('--all takes no names', { usage: true });
  const chosen = chooseAdded(addedHooks(context, options.scope), names);
  await withStaging((staging) => update(context, chosen, options, staging));
}

interface Found {
  readonly hook: AddedHook;
  readonly offer: Offer;
  readonly plan: AddPlan;
}

async function update(context: Context, chosen: readonly AddedHook[], options: Options, staging: Staging): Promise<void> {
  const { scope, force = false, json = false, yes = false, cases } = options;
  const request = { scope, force };
  const found: Found[] = [];
  for (const hook of chosen) {
    const offer = await refetch(context, originOf(hook), { staging, catalogues: [] });
    found.push({ hook, offer, plan: planOffer(context, offer, request) });
  }
  const newer = found.filter(({ plan }) => !plan.same);
  if (options.dryRun) {
    const changes = newer.flatMap(({ offer }) => addChanges(context, offer.source, request));
    return showDryRun(context, changes, json);
  }
  const results = [];
  for (const { hook, offer, plan } of newer) {
    const command = `piton hooks update ${shellWord(hook.name)}${scope === 'project' ? ' --scope project' : ''}${force ? ' --force' : ''}`;
    if (!(await acceptOffer(context, offer, plan, { yes, json, command, cases, staging }))) continue;
    const result = await addHook(context, offer.source, request, fromOffer(offer)).catch((error: unknown) => {
      throw explainedError(context, offer.source, error);
    });
    results.push({ ...addedJson(context, result, scope), ...offerJson(offer) });
    if (!json) describeAdded(context, result, scope, true);
  }
  if (json) return printJson(context, results);
  if (newer.length === 0)
    printLine(context, found.length === 0 ? 'No hook was added yet.' : 'Nothing to do: all are as their sources have them.');
}

function originOf({ name, origin }: AddedHook): NonNullable<AddedHook['origin']> {
  if (origin) return origin;
  throw new Failure(`it is not known where ${name} came from`, {
    remedy: 'add it once more from its source. To see which there are: piton hooks add',
  });
}
