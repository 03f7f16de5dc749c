import { join } from 'node:path';
import { untrust } from '@piton/hooks';
import { Command, Option } from 'commander';
import { type Context, printJson, printLine } from '../../context.ts';
import { withExamples } from '../../examples.ts';
import { Failure } from '../../failure.ts';
import { removeTree } from '../../files/remove-tree.ts';
import { fileChange, ownChange, showDryRun } from '../../install/change.ts';
import { readConfig } from '../../install/config-file.ts';
import { removableIgnore } from '../../install/ignore-file.ts';
import { hooksChanged } from '../../last-resort.ts';
import { type Added, readAdded, writeAdded } from '../../library/added-file.ts';
import { hookHash, userCases } from '../../library/artifact-source.ts';
import { type AddScope, artifactsFolder, folderChanges, removeEmptyFolders, SCOPES, treeAt } from '../../library/target.ts';
import { makePlaces } from '../../locations.ts';
import { consent } from '../../question.ts';
import { requireRepository } from '../../repository.ts';
import { projectHooks } from '../../trust/pending.ts';

interface Options {
  readonly scope: AddScope;
  readonly force?: boolean;
  readonly dryRun?: boolean;
  readonly yes?: boolean;
  readonly json?: boolean;
}

export function hooksRemoveCommand(context: Context): Command {
  const command = new Command('remove')
    .argument('<name...>', 'Names of the hooks')
    .addOption(new Option('--scope <scope>', 'Yours everywhere, or of this project').choices(SCOPES).default('user'))
    .option('--force', 'Also remove hooks that were changed or have test cases of yours')
    .option('--dry-run', 'Show what would be removed, and remove nothing')
    .option('--yes', 'Do not ask. Ignored when an agent runs the command')
    .option('--json', 'Print JSON')
    .action((names: string[], options: Options) => run(context, names, options));
  return withExamples(command, ['hooks remove notify', 'hooks remove run-tests-at-stop --scope project']);
}

async function run(
  context: Context,
  names: readonly string[],
  { scope, force = false, yes = false, dryRun, json }: Options,
): Promise<void> {
  const places = makePlaces(context);
  const added = readAdded(places.home);
  const folders = names.map((name) => {
    if (!/^[A-Za-z0-9][\w.-]*(\/[A-Za-z0-9][\w.-]*)*$/.test(name))
      throw new Failure(`${JSON.stringify(name)} is not a hook name`, { usage: true });
    const folder = join(artifactsFolder(context, scope), name);
    refuseChanged(name, folder, added[folder], force);
    return folder;
  });
  if (dryRun) {
    const ignore = scope === 'project' ? removableIgnore(requireRepository(context), folders) : undefined;
    const changes = [
      ...folders.flatMap((folder) => folderChanges(folder, [], scope)),
      ...(ignore === undefined ? [] : [fileChange(ignore, readConfig(ignore).bytes, null, 'kept personal files out of git')]),
      ownChange(places.home, 'records, trust, and what holds without a server'),
    ];
    return showDryRun(context, changes, json === true);
  }
  const command = `piton hooks remove ${names.join(' ')}${scope === 'project' ? ' --scope project' : ''}${force ? ' --force' : ''}`;
  if (!(await consent(context, { question: `Remove ${names.join(', ')}?`, yes, command }))) return;
  for (const folder of folders) {
    const trusted = scope === 'project' ? projectHooks(context, places).filter(({ hook }) => hook.source.startsWith(`${folder}/`)) : [];
    for (const { root, hook } of trusted) untrust(places.trust, root, [hook.id]);
    removeTree(folder);
    writeAdded(places.home, folder, undefined);
  }
  await hooksChanged(places);
  // After that: a configuration that is not there is taken for one that cannot be seen, and what is kept of it stays.
  for (const folder of folders) removeEmptyFolders(folder, artifactsFolder(context, scope));
  if (json) return printJson(context, { removed: folders });
  for (const name of names) printLine(context, `${context.paint('green', '✓')} removed ${name}`);
}

function refuseChanged(name: string, folder: string, written: Added | undefined, force: boolean): void {
  const tree = treeAt(folder);
  if (!tree)
    throw new Failure(`no hook is named ${JSON.stringify(name)}`, {
      where: folder,
      remedy: 'list them: piton hooks list. For a hook of this project: --scope project',
    });
  if (force) return;
  const remedy = 'keep it, or use --force';
  if (written === undefined) throw new Failure(`${name} was not written by \`hooks add\``, { where: folder, remedy });
  const { files: there, leftOut } = tree;
  if (hookHash(there) !== written.essence || leftOut.length > 0)
    throw new Failure(`${name} was changed since it was added`, { where: folder, remedy });
  const cases = userCases(there, written.cases);
  if (cases.length > 0)
    throw new Failure(`${name} has test cases of yours: ${cases.map(({ path }) => path).join(', ')}`, { where: folder, remedy });
}
