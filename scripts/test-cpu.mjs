// node scripts/test-cpu.mjs [--top N] [test files…]: processor seconds of each test file, the costliest first. What the worker
// used itself (imports, transforms, the tests) stands beside what the processes used that it started. Servers that outlive their
// parents are in it where we may make control groups (Linux, as root). Linux only.
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, relative } from 'node:path';
import { pathToFileURL } from 'node:url';
import { ROOT } from './sources.mjs';
import { step, TOOLS } from './step.mjs';
import { WITHOUT_AGENTS } from './tally.mjs';
import { settleUsage } from './usage.mjs';

const TICKS_PER_SECOND = 100;

/**
 * Rows of the report by file, costliest first. A file that ran in several workers is added up. What a group used is the file's and its
 * children's; what the file used itself is its own.
 */
export function costsOf(report, secondsOf = () => undefined) {
  const files = new Map();
  for (const line of report.split('\n').filter(Boolean)) {
    const { file, group, self, children } = JSON.parse(line);
    const sum = files.get(file) ?? { file, self: 0, children: 0 };
    const used = { self: sum.self + self / TICKS_PER_SECOND, children: sum.children + children / TICKS_PER_SECOND };
    const all = group && secondsOf(group);
    files.set(file, { file, self: used.self, children: all ? Math.max(0, all - used.self) : used.children });
  }
  return [...files.values()].sort((a, b) => b.self + b.children - (a.self + a.children));
}

/** A folder of control groups, if we may make one. */
function newGroups() {
  const mount = readFileSync('/proc/mounts', 'utf8')
    .split('\n')
    .find((line) => line.split(' ')[2] === 'cgroup2');
  try {
    const groups = join(mount.split(' ')[1], `piton-test-cpu-${process.pid}`);
    mkdirSync(groups);
    readFileSync(join(groups, 'cpu.stat'));
    return groups;
  } catch {
    return undefined;
  }
}

const secondsOfGroup = (group) => Number(/usage_usec (\d+)/.exec(readFileSync(join(group, 'cpu.stat'), 'utf8'))[1]) / 1e6;

/** A group goes when its last process has ended. */
function removeGroups(groups) {
  for (const name of readdirSync(groups, { withFileTypes: true })) if (name.isDirectory()) rmdirSync(join(groups, name.name));
  rmdirSync(groups);
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
  const groups = newGroups();
  try {
    const measured = { PITON_TEST_CPU: report, PITON_TEST_CPU_GROUPS: groups ?? '' };
    const ok = step('tests', [TOOLS.vitest, 'run', '--reporter=dot', ...files, ...WITHOUT_AGENTS], measured);
    const costs = costsOf(readFileSync(report, 'utf8'), secondsOfGroup);
    console.log(
      costTable(
        costs.map((cost) => ({ ...cost, file: relative(ROOT, cost.file) })),
        top,
      ),
    );
    process.exitCode = ok ? 0 : 1;
  } finally {
    rmSync(directory, { recursive: true, force: true });
    try {
      if (groups) removeGroups(groups);
    } catch {
      console.error(`something that the tests started still runs: ${groups}`);
    }
  }
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? '').href) main(process.argv.slice(2));
