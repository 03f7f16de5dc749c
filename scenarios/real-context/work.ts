import { join } from 'node:path';
import { type AgentDriver, type BedStep, type Facts, git, talk, type Workspace } from '@piton/testing';
import { GUARD, PROMPT } from '../context/work-done.ts';
import { configOf, identify, runWithPiton } from '../real-agents/setup.ts';

const PACKAGE = { name: 'sums', type: 'module', scripts: { test: 'node --test --test-reporter=tap', lint: 'node lint.js' } };
const TEST = `import assert from 'node:assert';
import test from 'node:test';
import { sum } from './sum.js';
test('two and two are four', () => assert.strictEqual(sum(2, 2), 4));
`;
const LINT = `console.error('CHANGES.md has no date');
process.exit(1);
`;
const BEFORE = 'export const sum = (a, b) => a - b;\n';

/** A repository in which a sum is wrong, its test, and a person who commits. */
function prepare(workspace: Workspace): void {
  const { repo } = workspace;
  workspace.write(join(repo, 'package.json'), PACKAGE);
  workspace.write(join(repo, 'sum.js'), BEFORE);
  workspace.write(join(repo, 'sum.test.js'), TEST);
  workspace.write(join(repo, 'lint.js'), LINT);
  identify(workspace);
  workspace.writeProgram(join(configOf(workspace), 'hooks', 'pre-tool-use', '10-guard'), GUARD);
  git(workspace, 'add', '-A');
  git(workspace, 'commit', '-qm', 'A sum');
}

/** All that a ledger can have of a headless session, in the order in which it is done. */
const turnsOf = ({ tools: { shell, read, edit, write, todo } }: AgentDriver, { repo }: Workspace) => [
  ...(todo ? [todo([{ text: 'Date the changes', done: false }])] : []),
  shell('npm test'),
  // Some edit only what they have read.
  ...(read ? [read(join(repo, 'sum.js'))] : []),
  edit(join(repo, 'sum.js'), BEFORE, BEFORE.replace('-', '+')),
  shell('npm test'),
  write(join(repo, 'CHANGES.md'), 'The sum adds.\n'),
  shell('git add -A && git commit -m "Mend the sum"'),
  shell('rm -rf build'),
  shell('npm run lint'),
  { text: 'The sum is mended and committed. CHANGES.md has no date yet.' },
];

interface Played {
  readonly before?: readonly BedStep[];
  /** Between the request of this number, from 0, and its answer. */
  readonly during?: { readonly request: number; readonly steps: readonly BedStep[] };
  readonly after: readonly BedStep[];
}

export async function playWork(driver: AgentDriver, workspace: Workspace, { before, during, after }: Played): Promise<Facts> {
  prepare(workspace);
  return runWithPiton(driver, workspace, {
    prompt: PROMPT,
    script: talk(...turnsOf(driver, workspace)),
    ...(before && { before }),
    ...(during && { during: [during] }),
    after,
  });
}
