import { shellWord } from '@piton/contracts';
import { readTrust, untrust } from '@piton/hooks';
import { Command } from 'commander';
import { type Context, printJson, printLine } from '../context.ts';
import { withExamples } from '../examples.ts';
import { Failure } from '../failure.ts';
import { ownChange, showDryRun } from '../install/change.ts';
import { hooksChanged } from '../last-resort.ts';
import { makePlaces } from '../locations.ts';
import { replaceControls } from '../output/text.ts';
import { consent } from '../question.ts';
import { chooseHooks, type ProjectHook, projectHooks } from '../trust/pending.ts';

interface Options {
  readonly all?: boolean;
  readonly dryRun?: boolean;
  readonly yes?: boolean;
  readonly json?: boolean;
}

export function untrustCommand(context: Context): Command {
  const command = new Command('untrust')
    .argument('[hook...]', 'Hooks to untrust')
    .option('--all', 'All hooks of this project')
    .option('--dry-run', 'Show what would be changed, and change nothing')
    .option('--yes', 'Do not ask. Ignored when an agent runs the command')
    .option('--json', 'Print JSON. Without --yes, only list trusted hooks')
    .action((names: string[], options: Options) => run(context, names, options));
  return withExamples(command, ['untrust 10-no-rm-rf', 'untrust --all']);
}

async function run(context: Context, names: readonly string[], options: Options): Promise<void> {
  const places = makePlaces(context);
  const { problem } = readTrust(places.trust);
  if (problem)
    throw new Failure(`cannot read the list of trusted hooks: ${problem}`, { where: places.trust, remedy: 'run `piton doctor`' });
  const trusted = projectHooks(context, places).filter(({ hook }) => hook.trusted !== 'no');
  if (options.json && !options.yes && !options.dryRun)
    return printJson(
      context,
      trusted.map(({ hook, root }) => ({ id: hook.id, root, trusted: hook.trusted })),
    );
  if (trusted.length === 0 && names.length > 0) throw new Failure('no hook of this project is trusted', { where: context.cwd });
  if (trusted.length === 0)
    return options.json ? printJson(context, { untrusted: [] }) : printLine(context, 'Nothing to do: no hook of this project is trusted.');
  if (names.length === 0 && !options.all)
    throw new Failure('no hooks named', {
      remedy: `name the hooks to untrust, or use --all: ${trusted.map(({ hook }) => shellWord(hook.id)).join(', ')}`,
      usage: true,
    });
  const chosen: readonly ProjectHook[] = options.all ? trusted : chooseHooks(trusted, names);
  const ids = chosen.map(({ hook }) => replaceControls(hook.id));
  if (options.dryRun) return showDryRun(context, [ownChange(places.home, `${ids.join(', ')} no longer trusted`)], options.json === true);
  if (
    !(await consent(context, {
      question: `Untrust ${ids.join(', ')}?`,
      yes: options.yes === true,
      command: `piton untrust ${chosen.map(({ hook }) => shellWord(hook.id)).join(' ')}`,
    }))
  )
    return;
  const roots = [...new Set(chosen.map(({ root }) => root))];
  const removed = roots.flatMap((root) =>
    untrust(
      places.trust,
      root,
      chosen.filter((each) => each.root === root).map(({ hook }) => hook.id),
    ),
  );
  await hooksChanged(places);
  if (options.json) return printJson(context, { untrusted: removed });
  for (const id of removed) printLine(context, `${context.paint('green', '✓')} ${replaceControls(id)} no longer runs`);
}
