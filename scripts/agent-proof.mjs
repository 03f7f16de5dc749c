// Compares what runs of the real agents have shown with what is committed in packages/agents/src/proven.json.
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { importTypeScript } from './import-typescript.mjs';
import { ROOT } from './sources.mjs';

const COMMITTED = 'packages/agents/src/proven.json';

const linesOf = (text) => text.split('\n').map((line) => line.trim().replace(/,$/, ''));

/** One line for each entry that only one side has. */
export function difference(committed, shown) {
  const [before, now] = [new Set(linesOf(committed)), new Set(linesOf(shown))];
  return [
    ...[...before].filter((line) => !now.has(line)).map((line) => `not shown in this run: ${line}`),
    ...[...now].filter((line) => !before.has(line)).map((line) => `not committed: ${line}`),
  ];
}

/** With `only`, agents that did not run keep what is committed. */
export async function settleProof(directory, { write, only }) {
  const { proofsOf, proofText, readShown } = await importTypeScript('packages/testing/src/matrix.ts');
  const committed = readFileSync(join(ROOT, COMMITTED), 'utf8');
  const shown = existsSync(directory) ? proofsOf(readShown(directory)) : [];
  const kept = only.length === 0 ? [] : JSON.parse(committed).filter(({ agent }) => !only.includes(agent));
  const text = proofText([...kept, ...shown].sort((a, b) => (a.agent < b.agent ? -1 : 1)));
  const lines = difference(committed, text);
  if (!write) return lines;
  writeFileSync(join(ROOT, COMMITTED), text);
  console.log(lines.length === 0 ? 'nothing new was shown' : `wrote ${COMMITTED}: ${lines.length} lines changed`);
  return [];
}
