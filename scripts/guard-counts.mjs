// Writes what the guards stop of their corpora into docs/trust.md; with --check it only says whether it is stale.
import { settle } from './generated.mjs';
import { withBlock } from './generated-block.mjs';
import { importTypeScript } from './import-typescript.mjs';

const total = (counts, of) => counts.reduce((sum, each) => sum + of(each), 0);

function table(counts, isAttack) {
  const row = (name, { rows, stopped, later }) => `| ${name} | ${rows} | ${stopped} | ${later.rows} | ${later.stopped} |`;
  const all = {
    rows: total(counts, (each) => each.rows),
    stopped: total(counts, (each) => each.stopped),
    later: {
      rows: total(counts, (each) => each.later.rows),
      stopped: total(counts, (each) => each.later.stopped),
    },
  };
  const verb = isAttack ? 'stopped' : 'in the way';
  return [
    `| ${isAttack ? 'commands that change something of ours' : 'commands that change nothing of ours'} | rows | ${verb} | of these written after the rules | ${verb} |`,
    '|---|---|---|---|---|',
    ...counts.map((count) => row(count.class, count)),
    row('**all**', all),
  ].join('\n');
}

const { corpusCounts } = await importTypeScript('packages/hooks/test/built-in-guard/corpus/counts.ts', { inPlace: true });
const { attacks, harmless } = corpusCounts();
settle([withBlock('docs/trust.md', 'guard corpus', `\n${table(attacks, true)}\n\n${table(harmless, false)}\n`)], [], 'npm run pages');
