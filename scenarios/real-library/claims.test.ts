import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import {
  type AgentDriver,
  type BedStep,
  DRIVERS,
  describeReal,
  git,
  MODEL_URL,
  type ModelScript,
  selectAll,
  type Workspace,
} from '@piton/testing';
import { expect, test } from 'vitest';
import { endServer } from '../real-agents/recorder.ts';
import { configOf, identify, newTestStage, piton, runWithPiton, shell, stateOf } from '../real-agents/setup.ts';
import { chosenFor, FILES, type Task, tasksFor } from './endings.ts';

/** A line of `hooks-library/test/corpus/verify-claims-recorded.jsonl`. */
interface Line {
  readonly agent: string;
  readonly task: string;
  readonly says: string;
  readonly facts: readonly string[];
  readonly wrong: readonly string[];
  /** The kinds of claims that the hook called wrong, in shadow, when the agent stopped. */
  readonly told: readonly string[];
}

const FILE = fileURLToPath(new URL('../../hooks-library/test/corpus/verify-claims-recorded.jsonl', import.meta.url));
const committed = (): Line[] =>
  readFileSync(FILE, 'utf8')
    .split('\n')
    .filter(Boolean)
    .map((line) => JSON.parse(line) as Line);

/** The others are played with PITON_RECORD=1, which writes the file anew. */
const SHORT: ReadonlySet<string> = new Set(['failed', 'broke it again', 'wrote nothing', 'wrote', 'not committed', 'committed']);

const promptOf = ({ id }: Task): string => `Do what is scripted: ${id}.`;

for (const [at, driver] of DRIVERS.entries()) {
  const { id } = driver.pinned;
  // Not all of them are recorded.
  if (!process.env.PITON_RECORD && !committed().some(({ agent }) => agent === id)) continue;
  describeReal(id, 'what it claims at the end', () => {
    test('is compared with what it did, and called wrong only where it is', async () => {
      const workspace = newTestStage(driver);
      const all = chosenFor(tasksFor(driver, workspace, at), at);
      const tasks = process.env.PITON_RECORD ? all : all.filter((task) => SHORT.has(task.id));
      const lines = await play(driver, workspace, tasks);
      const others = committed().filter(({ agent }) => agent !== id);
      if (process.env.PITON_RECORD)
        writeFileSync(
          FILE,
          [...others, ...lines]
            .sort(byAgent)
            .map((line) => `${JSON.stringify(line)}\n`)
            .join(''),
        );
      const known = committed().filter(({ agent, task }) => agent === id && tasks.some((one) => one.id === task));
      expect(lines.map(comparable)).toEqual(known.map(comparable));
      for (const { told, wrong, says } of lines) expect([says, told.filter((kind) => !wrong.includes(kind))]).toEqual([says, []]);
    });
  });
}

/** Names of commits differ from run to run, and what the hook says depends on how fast the ledger was there: that it is right is all. */
const comparable = ({ told: _, ...line }: Line) => ({ ...line, facts: line.facts.map((row) => row.replace(/^G \w+/, 'G')) });

const ORDER = DRIVERS.map(({ pinned }) => pinned.id);
const byAgent = (one: Line, other: Line): number => ORDER.indexOf(one.agent) - ORDER.indexOf(other.agent);

/** Each task in a session of its own, in the same repository as it was at the beginning. */
async function play(driver: AgentDriver, workspace: Workspace, tasks: readonly Task[]): Promise<Line[]> {
  for (const [name, text] of Object.entries(FILES)) workspace.write(join(workspace.repo, name), text);
  identify(workspace);
  // What an earlier session left open would have the prompt of its task in it.
  workspace.write(join(configOf(workspace), 'settings.json'), { context: 'off' });
  git(workspace, 'add', '-A');
  git(workspace, 'commit', '-qm', 'Begin here');
  const script: ModelScript = tasks.map((task) => ({
    ...{ name: task.id, match: promptOf(task).replaceAll('.', '\\.') },
    turns: [...task.turns, { text: task.says }],
  }));
  const [first, ...rest] = tasks;
  if (first === undefined) return [];
  const facts = await runWithPiton(driver, workspace, {
    ...{ script, prompt: promptOf(first), limitMs: 120_000 },
    before: [piton('hooks', 'add', 'verify-claims')],
    after: [...seen(first), ...rest.flatMap((task) => [again, session(driver, task), ...seen(task)]), endServer],
  });
  const ends = sessionsIn(workspace);
  expect(ends).toHaveLength(tasks.length);
  return tasks.map((task, n) => {
    const disk = task.file === undefined ? [] : facts.step(`look at ${task.id}`).stdout.split('\n').filter(Boolean);
    const { says, rows, told } = ends[n] as Ended;
    return {
      agent: driver.pinned.id,
      task: task.id,
      says,
      facts: [...rows, ...disk].map((row) => row.replaceAll(`${workspace.repo}/`, '')),
      wrong: task.wrong,
      told,
    };
  });
}

/** In shadow the hook looks at the files after the agent has had its answer: they are there for a while. */
const again = shell(
  'begin again',
  'sleep 4 && git reset -q --hard "$(git rev-list --reverse HEAD --grep "Set up" | tail -1)" && git clean -qfdx && sleep 1',
);
const session = (driver: AgentDriver, task: Task): BedStep => ({
  ...{ name: `session ${task.id}`, argv: driver.command(promptOf(task), []), env: driver.env(MODEL_URL), limitMs: 120_000 },
});
/** How the claimed file is on disk: `W`, changed since the beginning, or `E`, there as it was. */
const seen = ({ id, file }: Task): BedStep[] =>
  file === undefined
    ? []
    : [
        shell(
          `look at ${id}`,
          `if [ -e ${file} ]; then if [ -n "$(git status --porcelain --untracked-files=all ${file})" ]; then echo 'W ${file}'; else echo 'E ${file}'; fi; fi`,
        ),
      ];

interface Ended {
  readonly says: string;
  readonly rows: readonly string[];
  readonly told: readonly string[];
}

const KINDS = [
  ['tests', 'the tests pass'],
  ['file', 'a file was written'],
  ['commit', 'something was committed'],
] as const;

/** What is stored of each session, oldest first, read with SQL of our own. */
function sessionsIn(workspace: Workspace): Ended[] {
  const database = join(stateOf(workspace), 'piton.db');
  const of = (sql: string, id: unknown) => selectAll(database, sql.replaceAll('$id', `'${String(id)}'`));
  return selectAll(database, 'SELECT id FROM sessions WHERE depth = 0 AND parent_id IS NULL AND turns > 0 ORDER BY started_us').map(
    ({ id }) => {
      const stops = of("SELECT text, wall_us FROM events WHERE session_id = $id AND event = 'stop' AND derived = 0 ORDER BY seq", id);
      const said = of(
        "SELECT h.note FROM hook_runs h JOIN events e ON e.seq = h.seq WHERE e.session_id = $id AND h.hook LIKE '%verify-claims%'",
        id,
      );
      const end = Number(stops.at(-1)?.wall_us ?? 0);
      // A later session may commit what this one wrote: that is no part of how it ended.
      const rows = of('SELECT kind, ok, body, wall_us FROM ledger WHERE session_id = $id ORDER BY wall_us, event_id, at', id)
        .filter(({ wall_us }) => Number(wall_us) <= end)
        .flatMap(rowOf);
      const words = JSON.stringify(said);
      return {
        says: String(stops.at(-1)?.text ?? ''),
        rows,
        told: KINDS.filter(([, text]) => words.includes(`You said that ${text}`)).map(([kind]) => kind),
      };
    },
  );
}

const PURPOSES: Readonly<Record<string, string>> = { test: 'T', build: 'B', lint: 'L' };

function rowOf({ kind, ok, body }: Record<string, unknown>): string[] {
  const fact = JSON.parse(String(body)) as Record<string, unknown>;
  if (kind === 'file') return [`F ${fact.path}`];
  if (kind === 'commit') return [`G ${String(fact.sha).slice(0, 7)} ${fact.subject}`];
  if (kind !== 'command') return [];
  return [`${PURPOSES[String(fact.purpose)] ?? 'C'}${ok === null ? '?' : Number(ok) === 1 ? '+' : '-'} ${fact.command}`];
}
