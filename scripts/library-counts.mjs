// Writes what the library's guards stop of their corpora into docs/hooks-library.md; with --check it only says whether it is stale.
import { settle } from './generated.mjs';
import { withBlock } from './generated-block.mjs';
import { importTypeScript } from './import-typescript.mjs';

const corpus = (name) => importTypeScript(`hooks-library/test/corpus/${name}.ts`, { inPlace: true });
const [{ libraryCounts }, { GUARDS }] = [await corpus('counts'), await corpus('rows')];
const guards = {};
for (const name of GUARDS) guards[name] = (await importTypeScript(`hooks-library/${name}/guard.ts`, { inPlace: true })).default;

function table(counts, isAttack) {
  const verb = isAttack ? 'caught' : 'in the way';
  const own = counts.filter((count) => count.isAttack === isAttack);
  const sum = (of) => own.reduce((total, count) => total + of(count), 0);
  const cells = ({ rows, stopped, later }) => [rows, stopped, ...(isAttack ? [rows - stopped] : []), later.rows, later.stopped].join(' | ');
  const all = {
    rows: sum((count) => count.rows),
    stopped: sum((count) => count.stopped),
    later: { rows: sum((count) => count.later.rows), stopped: sum((count) => count.later.stopped) },
  };
  return [
    `| ${isAttack ? 'to be caught' : 'harmless'} | rows | ${verb} |${isAttack ? ' missed |' : ''} of these written after the rules | ${verb} |`,
    `|---|---|---|${isAttack ? '---|' : ''}---|---|`,
    ...own.map((count) => `| ${count.class} | ${cells(count)} |`),
    `| **all** | ${cells(all)} |`,
  ].join('\n');
}

const counts = libraryCounts(guards);
const text = GUARDS.map((guard) => {
  const own = counts.filter((count) => count.guard === guard);
  return `\`${guard}\`:\n\n${table(own, true)}\n\n${table(own, false)}`;
}).join('\n\n');
const { countEndings, endings, recordedEndings } = await importTypeScript('hooks-library/test/corpus/endings.ts', { inPlace: true });
const recorded = recordedEndings();
const live = countEndings(recorded, ({ told }) => told);
const claims = [
  ['recorded from real agents, as the hook said it there', live],
  ['the same, read again by the rules of now', countEndings(recorded)],
  ['written before the rules', countEndings(endings().filter(({ isLater }) => !isLater))],
  ['written after the rules', countEndings(endings().filter(({ isLater }) => isLater))],
].map(([name, { endings: all, wrong, found, missed, mistaken, precision }]) => {
  return `| ${name} | ${all} | ${wrong} | ${found} | ${missed} | ${mistaken} | ${(100 * precision).toFixed(1)} % |`;
});
const claimsText = [
  '| | endings | wrong claims | found | missed | found wrongly | precision |',
  '|---|---|---|---|---|---|---|',
  ...claims,
].join('\n');
console.log(`verify-claims: ${live.endings} recorded endings, precision ${(100 * live.precision).toFixed(1)} %`);
settle([withBlock('docs/hooks-library.md', 'library corpus', `\n${text}\n\n\`verify-claims\`:\n\n${claimsText}\n`)], [], 'npm run pages');
