import { dirname, relative, resolve } from 'node:path';
import { Command } from 'commander';
import { CATALOGUE_FORMAT, type CatalogueEntry } from '../../catalogue/catalogue-file.ts';
import { hooksBelow } from '../../catalogue/folder-source.ts';
import { digestOf } from '../../catalogue/origin.ts';
import { parseSourceRef, sourceText } from '../../catalogue/source-ref.ts';
import { type Context, printLine } from '../../context.ts';
import { withExamples } from '../../examples.ts';
import { Failure } from '../../failure.ts';
import { readConfig, writeConfig } from '../../install/config-file.ts';
import { readSource } from '../../library/artifact-source.ts';
import { lintFolder } from '../../lint/lint-folder.ts';
import { jsonText } from '../../output/safe-text.ts';
import { plural } from '../../output/text.ts';

/** Others have to read it. */
const MODES = { file: 0o644, directory: 0o755 };

interface Options {
  readonly source?: string;
  readonly out?: string;
}

export function hooksIndexCommand(context: Context): Command {
  const command = new Command('index')
    .argument('[folder]', 'A folder of hooks, each in a folder with an ARTIFACT.md', '.')
    .option('--source <source>', 'Where others get them: a git address or an npm package (default: this folder)')
    .option('--out <file>', 'Write it to this file, not to stdout')
    .action((folder: string, options: Options) => run(context, folder, options));
  return withExamples(command, [
    'hooks index ./hooks',
    'hooks index ./hooks --source https://example.com/team/hooks.git#v1 --out hooks.json',
  ]);
}

/** The same hooks give the same bytes, so that a catalogue can be kept with them and checked. */
function run(context: Context, folder: string, { source, out }: Options): void {
  const root = resolve(context.cwd, folder);
  const from = source === undefined ? undefined : sourceOf(source);
  const file = out === undefined ? undefined : resolve(context.cwd, out);
  // What reads it takes a folder from where the file lies. Printed, it is for the folder itself.
  const base = file === undefined ? root : dirname(file);
  const place = (path: string) => (from === undefined ? { source: fromHere(base, resolve(root, path)), path: '' } : { source: from, path });
  const hooks = hooksBelow(root).map(({ path }) => entryOf(root, path, place(path)));
  if (hooks.length === 0) throw new Failure('no hooks in this folder', { where: root, remedy: 'expected folders with an ARTIFACT.md' });
  const text = `${jsonText({ piton_catalogue: CATALOGUE_FORMAT, hooks }, 2)}\n`;
  if (file === undefined) return context.out(text);
  writeConfig(file, text, readConfig(file).bytes, MODES);
  printLine(context, `${context.paint('green', '✓')} ${file}: ${plural(hooks.length, 'hook')}`);
}

function sourceOf(text: string): string {
  const ref = parseSourceRef(text);
  if (ref.kind === 'git' || ref.kind === 'npm') return sourceText(ref);
  throw new Failure('--source takes a git address or an npm package', {
    remedy: 'without it the catalogue is for this folder',
    usage: true,
  });
}

/** With a dot first, so that it is no name and no address. */
const fromHere = (base: string, folder: string): string => {
  const path = relative(base, folder);
  return path === '' ? '.' : path === '..' || path.startsWith('../') ? path : `./${path}`;
};

function entryOf(root: string, path: string, place: Pick<CatalogueEntry, 'source' | 'path'>): CatalogueEntry {
  const folder = path === '' ? root : `${root}/${path}`;
  const [error] = lintFolder(folder).filter(({ severity }) => severity === 'error');
  if (error)
    throw new Failure(`nobody could add this hook: ${error.what}`, {
      where: `${error.file}:${error.line}`,
      ...(error.remedy && { remedy: error.remedy }),
    });
  const { name, version, event, description, tags, needs, files } = readSource(folder, true);
  return { name, version, event, description, tags, needs, ...place, digest: digestOf(files) };
}
