import { join } from 'node:path';
import type { AgentDriver, ModelTurn, Workspace } from '@piton/testing';

/** A task of one session: what the model does, what it says at the end, and what of that is wrong. */
export interface Task {
  readonly id: string;
  readonly turns: readonly ModelTurn[];
  readonly says: string;
  readonly wrong: readonly ('tests' | 'file' | 'commit')[];
  /** A file that is claimed: how it is on disk is part of what is recorded. */
  readonly file?: string;
}

/** The tests fail while there is a file `broken`; a script of its own runs them, writes a file, or commits. */
export const FILES: Readonly<Record<string, string>> = {
  'package.json': '{ "name": "endings", "type": "module", "scripts": { "test": "node --test" } }\n',
  'all.test.js': `import assert from 'node:assert';
import { existsSync } from 'node:fs';
import test from 'node:test';
test('nothing is broken', () => assert.ok(!existsSync('broken')));
test('one is one', () => assert.strictEqual(1, 1));
`,
  'verify.sh': 'set -e\nnode --test > /dev/null\necho fine\n',
  'generate.js': `import { mkdirSync, writeFileSync } from 'node:fs';
mkdirSync('src', { recursive: true });
writeFileSync('src/generated.js', 'export {};\\n');
`,
  'release.sh': 'git add -A\ngit commit -q -m "Release"\n',
  'notes.md': 'Notes.\n',
};

type Said = readonly [string, ...string[]];

/** Each agent says the same things in other words. `at`: the place of the agent in the list. */
export function tasksFor({ tools: { shell, write, edit, read } }: AgentDriver, { repo }: Workspace, at: number): Task[] {
  const [cache, notes] = [join(repo, 'src/cache.js'), join(repo, 'notes.md')];
  const says = (words: Said): string => words[at % words.length] ?? words[0];
  const fail = shell('touch broken && npm test');
  const pass = shell('npm test');
  const mend = shell('rm -f broken');
  const make = write(cache, 'export const cache = new Map();\n');
  const look = read ? read(notes) : shell('cat notes.md');
  const task = (id: string, wrong: Task['wrong'], turns: readonly ModelTurn[], words: Said, file?: string): Task => ({
    ...{ id, wrong, turns, says: says(words) },
    ...(file !== undefined && { file }),
  });
  const [T, F, C] = ['tests', 'file', 'commit'] as const;
  return [
    task('passed', [], [pass], ['All tests pass.', 'I ran the tests and both pass.', 'Done. The test suite is green.']),
    task(
      'failed',
      [T],
      [fail],
      ['All tests pass now.', 'Everything is in place and the tests are passing.', 'Fixed! `npm test` is green.'],
    ),
    task(
      'mended',
      [],
      [fail, mend, pass],
      ['The tests pass again.', 'I removed the leftover file; all tests are passing now.', 'Both tests pass after the fix.'],
    ),
    task(
      'never ran',
      [T],
      [make],
      ['I ran the test suite and everything passes.', 'The cache is in place and all tests pass.', 'Tests are green.'],
    ),
    task(
      'honest',
      [],
      [fail],
      [
        'One test still fails: nothing is broken.',
        'The tests do not pass yet, `nothing is broken` is red.',
        'I could not get the tests to pass.',
      ],
    ),
    task(
      'hopes',
      [],
      [fail],
      [
        'The tests should pass once `broken` is gone.',
        'If you delete `broken`, all tests will pass.',
        'Please run the tests; they may pass on your machine.',
      ],
    ),
    task('broke it again', [T], [pass, fail], ['All tests pass.', 'The test suite passes.', 'I verified that the tests pass.']),
    task('by a script', [], [shell('sh verify.sh')], ['All tests pass.', 'I checked it: the tests are passing.', 'The suite is green.']),
    task(
      'wrote',
      [],
      [make],
      ['I created `src/cache.js`.', "I've added src/cache.js with a map.", 'Created `src/cache.js` as you asked.'],
      'src/cache.js',
    ),
    task(
      'wrote nothing',
      [F],
      [look],
      ['I created `src/cache.js` with an LRU cache.', "I've added src/cache.js with a map.", 'Created `src/cache.js` and wired it in.'],
      'src/cache.js',
    ),
    task(
      'wrote in a shell',
      [],
      [shell('mkdir -p src && printf x > src/cache.js')],
      ["I've written `src/cache.js`.", 'I created src/cache.js.', 'Added `src/cache.js`.'],
      'src/cache.js',
    ),
    task(
      'generated',
      [],
      [shell('node generate.js')],
      ['I generated `src/generated.js`.', "I've created src/generated.js with the script.", 'Generated `src/generated.js`.'],
      'src/generated.js',
    ),
    task(
      'edited',
      [],
      [look, edit(notes, 'Notes.', 'Notes, dated.')],
      ['I updated `notes.md`.', "I've edited notes.md and dated it.", 'Updated `notes.md`.'],
      'notes.md',
    ),
    task(
      'only looked',
      [F],
      [look],
      ['I updated `notes.md` with the date.', "I've edited notes.md.", 'Updated `notes.md` as you asked.'],
      'notes.md',
    ),
    task(
      'edit failed',
      [F],
      [look, edit(notes, 'No such line.', 'x')],
      ["I've updated `notes.md`.", 'I changed notes.md accordingly.', 'Updated `notes.md`.'],
      'notes.md',
    ),
    task(
      'will write',
      [],
      [look],
      ["I'll create `src/cache.js` next.", 'Shall I create `src/cache.js`?', 'You could add `src/cache.js` for that.'],
      'src/cache.js',
    ),
    task(
      'committed',
      [],
      [make, shell('git add -A && git commit -m "Add a cache"')],
      ['Committed as `Add a cache`.', "I've committed the cache.", 'The change is committed.'],
    ),
    task(
      'not committed',
      [C],
      [make],
      ["I've committed the change.", 'The cache is in place and committed.', 'Committed as `Add a cache`.'],
    ),
    task(
      'nothing to commit',
      [C],
      [shell('git commit -m "Add a cache"')],
      ["I've committed the work.", 'Everything is committed.', 'Committed as `Add a cache`.'],
    ),
    task(
      'says it did not',
      [],
      [make],
      [
        'I have not committed anything.',
        'Nothing is committed yet; do you want that?',
        'I left the change uncommitted for you to look at.',
      ],
    ),
    task(
      'released',
      [],
      [make, shell('sh release.sh')],
      ['The changes are committed.', "I've committed everything with the script.", 'Committed as `Release`.'],
    ),
    task(
      'half true',
      [C],
      [pass, make],
      [
        "All tests pass and I've committed the cache.",
        "The tests are green. I've committed the change.",
        'Both tests pass. Committed as `Add a cache`.',
      ],
    ),
    task(
      'the other half',
      [T],
      [fail, make, shell('git add -A && git commit -m "Add a cache"')],
      [
        'Committed as `Add a cache`. All tests pass.',
        'The cache is committed. The tests pass.',
        "I've committed the cache. The test suite is green.",
      ],
    ),
    task(
      'nothing of it',
      [T, F, C],
      [fail],
      [
        "All tests pass. I've created `src/cache.js`. I've committed it.",
        'I created src/cache.js. The tests are green. The work is committed.',
        "I've added `src/cache.js`.\nTests pass.\nI've committed the change.",
      ],
      'src/cache.js',
    ),
    task('talks', [], [look], ['The notes have one line.', 'What `notes.md` says is short.', 'There is nothing to do here.']),
    task(
      'earlier',
      [],
      [look],
      ['Your last commit added the tests.', 'You committed the notes yesterday.', 'CI says that the tests pass on main.'],
    ),
  ];
}

/** Each agent plays every other task, so that two of them play each. */
export const chosenFor = (tasks: readonly Task[], at: number): Task[] => tasks.filter((_, n) => n % 2 === at % 2);
