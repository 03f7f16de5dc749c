// Writes what the corpora of packages/redact measure into docs/redaction.md; with --check it only says whether that is stale.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { settle } from './generated.mjs';
import { importTypeScript } from './import-typescript.mjs';
import { ROOT } from './sources.mjs';

const PAGE = 'docs/redaction.md';
const [START, END] = ['<!-- corpus: written by npm run pages -->', '<!-- end of corpus -->'];

const { measure } = await importTypeScript('packages/redact/test/corpus/measure.ts');
const { counts, innocents, changed, kinds } = measure(ROOT);

const number = (value) => value.toLocaleString('en-US');
const sum = (rows, of) => rows.reduce((all, row) => all + of(row), 0);
const cells = (rows) => {
  const samples = sum(rows, (row) => row.samples);
  const caught = sum(rows, (row) => row.caught);
  // Rounded down: 100 % means all.
  const percent = samples === 0 ? '–' : `${(Math.floor((10_000 * caught) / samples) / 100).toFixed(2)} %`;
  return `${number(samples)} | ${number(caught)} | ${number(samples - caught)} | ${percent}`;
};
const of = (set, group) => counts.filter((row) => row.set === set && (group === undefined || row.group === group));
const table = (set) => {
  const groups = [...new Set(of(set).map(({ group }) => group))].sort((a, b) => a.localeCompare(b));
  const rows = groups.map((group) => `| ${group} | ${cells(of(set, group))} |`);
  return ['| context | samples | caught | missed | recall |', '|---|---:|---:|---:|---:|', ...rows, `| **all** | ${cells(of(set))} |`].join(
    '\n',
  );
};

const block = `${number(kinds)} kinds and names of secrets, generated in the shapes that the services document. Innocent texts: ${number(innocents)}, of which ${number(changed.length)} changed.

Rows that were there while the rules were written:

${table('first')}

Rows written after the rules (a kind, a name or a context that the rules had not seen). When first measured, before anything was changed for them, 97.40 % were caught; of the 5,096 samples that a second set added later, 92.39 %:

${table('later')}`;

const page = readFileSync(join(ROOT, PAGE), 'utf8');
const [before, rest] = page.split(START);
const after = rest?.split(END)[1];
if (after === undefined) throw new Error(`${PAGE} has no place for the corpus: ${START} … ${END}`);
settle([{ path: PAGE, text: `${before}${START}\n\n${block}\n\n${END}${after}` }], [], 'npm run pages');
