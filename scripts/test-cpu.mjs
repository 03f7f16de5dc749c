// node scripts/test-cpu.mjs [--top N] [test files…]: processor seconds of each test file, the costliest first. What the worker
// used itself (imports, transforms, the tests) stands beside what the processes used that it started and waited for. Servers that
// outlive their parents are not in it. Linux only.
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, relative } from 'node:path';
import { pathToFileURL } from 'node:url';
import { ROOT } from './sources.mjs';
import { step, TOOLS } from './step.mjs';
import { WITHOUT_AGENTS } from './tally.mjs';
import { settleUsage } from './usage.mjs';

const TICKS_PER_SECOND = 100;

/** Rows of the report by file, costliest first. A file that ran in several workers is added up. */
export function costsOf(report) {
  const files = new Map();
  for (const line of report.split('\n').filter(Boolean)) {
    const { file, self, children } = JSON.parse(line);
    const sum = files.get(file) ?? { file, self: 0, children: 0 };
    files.set(file, { file, self: sum.self + self / TICKS_PER_SECOND, children: sum.children + children / TICKS_PER_SECOND });
  }
  return [...files.values()].sort((a, b) => b.self + b.children - (a.self + a.children));
}

const cell = (seconds) => seconds.toFixed(1).padStart(8);
export const costTable = (costs, top) =>
  [
    '     all    self children',
    ...costs.slice(0, top).map(({ file, self, children }) => `${cell(self + children)}${cell(self)}${cell(children)}  ${file}`),
    `${cell(costs.reduce((sum, { self, children }) => sum + self + children, 0))}  of ${costs.length} files`,
  ].join('\n');

function main(args) {
  settleUsage('usage: node scripts/test-cpu.mjs [--top <files>] [test files…]');
  const at = args.indexOf('--top');
  const top = at < 0 ? 30 : Number(args[at + 1]);
  const files = at < 0 ? args : args.toSpliced(at, 2);
  const directory = mkdtempSync(join(tmpdir(), 'piton-test-cpu-'));
  const report = join(directory, 'report');
  try {
    const ok = step('tests', [TOOLS.vitest, 'run', '--reporter=dot', ...files, ...WITHOUT_AGENTS], { PITON_TEST_CPU: report });
    const costs = costsOf(readFileSync(report, 'utf8'));
    console.log(
      costTable(
        costs.map((cost) => ({ ...cost, file: relative(ROOT, cost.file) })),
        top,
      ),
    );
    process.exitCode = ok ? 0 : 1;
  } finally {
    rmSync(directory, { recursive: true, force: true });
  }
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? '').href) main(process.argv.slice(2));
