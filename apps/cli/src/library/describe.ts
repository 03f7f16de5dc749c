import { shellWord } from '@piton/contracts';
import { findProgram } from '@piton/hooks';
import { shellPath, withCommandName } from '../command-name.ts';
import { type Context, printLine } from '../context.ts';
import { oneLine } from '../output/text.ts';
import type { AddResult } from './add.ts';
import type { ArtifactSource } from './artifact-source.ts';
import type { AddScope } from './target.ts';

/** Required programs that are not installed. */
export function missingPrograms({ needs, confined }: ArtifactSource, context: Context): string[] {
  const confiner = process.platform === 'darwin' ? 'sandbox-exec' : 'bwrap';
  return [...needs, ...(confined ? [confiner] : [])].filter((name) => findProgram(name, context.env.PATH) === undefined);
}

const DID: Readonly<Record<AddResult['did'], string>> = {
  added: 'added',
  replaced: 'updated',
  nothing: 'already there',
};

export function describeAdded(context: Context, result: AddResult, scope: AddScope, isSetUp: boolean): void {
  const { source, did, before, mode, folder } = result;
  const { paint } = context;
  const versions =
    did === 'replaced' && before !== undefined && before !== source.version ? `${before} → ${source.version}` : source.version;
  printLine(
    context,
    `${paint('green', '✓')} ${paint('bold', source.name)} ${versions}: ${DID[did]}, ${scope === 'user' ? 'for you everywhere' : 'for this project, and trusted'}`,
  );
  printLine(context, `  ${oneLine(source.description)}`);
  printLine(context, `  runs on    ${source.event}${mode === 'shadow' ? ', in shadow mode: recorded, not enforced' : ''}`);
  if (source.policy) printLine(context, '  policy     denies if it cannot answer');
  const missing = missingPrograms(source, context);
  if (missing.length > 0)
    printLine(
      context,
      `  ${paint('yellow', 'needs')}      ${missing.join(', ')}, not installed. It does not run until then${source.policy ? ', and the calls it guards are denied' : ''}`,
    );
  if (scope === 'user' && source.tags.includes('runs-project-code'))
    printLine(
      context,
      `  ${paint('yellow', 'note')}       it runs programs of whatever project you are in. To limit it to one: --scope project`,
    );
  printLine(context, `  folder     ${shellPath(context, folder)}`);
  printLine(context, withCommandName(context, `  test       piton hooks test ${shellWord(source.name)}`));
  if (mode === 'shadow') printLine(context, withCommandName(context, `  enforce    piton hooks promote ${shellWord(source.name)}`));
  printLine(
    context,
    withCommandName(context, `  remove     piton hooks remove ${shellWord(source.name)}${scope === 'project' ? ' --scope project' : ''}`),
  );
  if (!isSetUp)
    printLine(context, withCommandName(context, `  ${paint('yellow', 'note')}       no agent is registered yet: run piton init`));
}

export const addedJson = (context: Context, { source, did, mode, folder }: AddResult, scope: AddScope): Record<string, unknown> => ({
  ...{ name: source.name, version: source.version, event: source.event, scope, mode, did, folder },
  missing: missingPrograms(source, context),
});
