import { writeFileSync } from 'node:fs';
import { resolve } from 'node:path';
import type { Checkpoints } from '@piton/checkpoints';
import type { ExportDocument } from '@piton/contracts';
import type { Redactor } from '@piton/redact';
import type { SessionDetail, Store } from '@piton/store';
import { Command, Option } from 'commander';
import { withCommandName } from '../../command-name.ts';
import { type Context, printLine } from '../../context.ts';
import { withExamples } from '../../examples.ts';
import { gather, openAt } from '../../export/gather.ts';
import { toHtml } from '../../export/html.ts';
import { toMarkdown } from '../../export/markdown.ts';
import { type Chosen, chooseCurrent, chooseInRepository } from '../../export/target.ts';
import { Failure } from '../../failure.ts';
import { requirePlaces } from '../../locations.ts';
import { readStore } from '../../open-store.ts';
import { jsonText } from '../../output/safe-text.ts';
import { plural } from '../../output/text.ts';
import { redactorHere } from '../../redactor.ts';
import { noRepository } from '../../repository.ts';

const FORMATS = ['md', 'json', 'html'] as const;
type Format = (typeof FORMATS)[number];

interface Options {
  readonly format?: Format;
  readonly out?: string;
  readonly base?: string;
  readonly full?: boolean;
  readonly json?: boolean;
}

export function exportCommand(context: Context): Command {
  const command = new Command('export')
    .argument('[what]', 'A branch, commit, range, checkpoint or session (default: the current branch)')
    .addOption(new Option('--format <format>', 'Output format (default: from the file name, otherwise md)').choices(FORMATS))
    .option('-o, --out <file>', 'Write to this file')
    .option('--base <commit>', 'Base to compare the branch with (default: the main branch)')
    .option('--full', 'Include every tool call with its full input, and shorten nothing')
    .option('--json', 'Same as --format json')
    .action((what: string | undefined, options: Options) => run(context, what, options));
  return withExamples(command, [
    'export',
    'export --format html --out work.html',
    'export HEAD --json',
    'export 01K --full',
    'export main..feature',
  ]);
}

async function run(context: Context, what: string | undefined, options: Options): Promise<void> {
  const places = requirePlaces(context);
  const format = formatOf(options);
  const redactor = redactorHere(context);
  const checkpoints = await openAt(context, context.cwd, places.home, redactor);
  const { document, unknown } = await readStore(
    places,
    async (store) => {
      const found = await choose(context, checkpoints, store, what, options.base);
      const where = found.session
        ? await openAt(context, found.session.repo ?? found.session.projectPath, places.home, redactor)
        : checkpoints;
      return gather({ context, checkpoints: where, store, chosen: found.chosen, redactor, full: options.full === true });
    },
    null,
  ).then((read) => read ?? withoutStore(context, checkpoints, what, options, redactor));
  if (unknown > 0) context.err(`${plural(unknown, 'session')} of these commits ${unknown === 1 ? 'is' : 'are'} not in this store\n`);
  const text = render(document, format, options.full === true);
  if (options.out === undefined) return context.verbatim(text);
  save(context, options.out, text);
  printLine(
    context,
    `${options.out}: ${plural(document.totals.sessions, 'session')}, ${plural(document.totals.turns, 'turn')}, ${plural(document.commits.length, 'commit')}`,
  );
}

/** If nothing was ever recorded, git still knows the commits. */
async function withoutStore(
  context: Context,
  checkpoints: Checkpoints | null,
  what: string | undefined,
  options: Options,
  redactor: Redactor,
) {
  const { chosen } = await choose(context, checkpoints, null, what, options.base);
  return gather({ context, checkpoints, store: null, chosen, redactor, full: options.full === true });
}

function formatOf({ format, json, out }: Options): Format {
  if (json && format !== undefined && format !== 'json')
    throw new Failure('--json cannot be combined with another --format', { usage: true });
  if (json || format !== undefined) return format ?? 'json';
  const ending = /\.(md|json|html)$/i.exec(out ?? '')?.[1]?.toLowerCase();
  return FORMATS.find((each) => each === ending) ?? 'md';
}

const render = (document: ExportDocument, format: Format, full: boolean): string => {
  if (format === 'json') return `${jsonText(document, 2)}\n`;
  return format === 'html' ? toHtml(document, full) : toMarkdown(document, full);
};

async function choose(
  context: Context,
  checkpoints: Checkpoints | null,
  store: Store | null,
  what: string | undefined,
  base: string | undefined,
): Promise<{ chosen: Chosen; session?: SessionDetail }> {
  if (what === undefined) {
    if (checkpoints === null) throw noRepository(context, 'name a session: piton sessions');
    const chosen = await chooseCurrent(checkpoints, base);
    if (chosen.commits.length > 0) return { chosen };
    throw new Failure(`${chosen.name} has no commits that are not in ${chosen.base}`, {
      remedy: withCommandName(context, 'name a commit, another --base, or a session: piton sessions'),
    });
  }
  const inGit = checkpoints === null ? null : await chooseInRepository(checkpoints, what, base);
  if (inGit !== null) return { chosen: inGit };
  const found = store === null ? ({ found: 'none' } as const) : await store.session(what);
  if (found.found === 'one') {
    const { id, providerRef } = found.value;
    return { chosen: { kind: 'session', name: id, base: null, commits: [], sessions: [id], providerRef }, session: found.value };
  }
  throw new Failure(
    found.found === 'many'
      ? `${JSON.stringify(what)} matches ${found.ids.length} sessions`
      : `${JSON.stringify(what)} is not a branch, commit, checkpoint or session here`,
    { remedy: withCommandName(context, found.found === 'many' ? 'use more of the ID' : 'list them: piton sessions, piton checkpoints') },
  );
}

function save(context: Context, file: string, text: string): void {
  try {
    // Even redacted, it shows what somebody has been doing: only its owner may read it.
    writeFileSync(resolve(context.cwd, file), text, { mode: 0o600 });
  } catch (error) {
    throw new Failure(`cannot write the file: ${(error as Error).message}`, { where: file });
  }
}
