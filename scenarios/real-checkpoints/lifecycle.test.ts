import { join } from 'node:path';
import { type AgentDriver, claudeDriver, codexDriver, describeReal, type Facts, type ModelScript, type ModelTurn } from '@piton/testing';
import { expect, test } from 'vitest';
import { newStage, runWithPiton } from '../agent-setup.ts';
import { piton, shell } from '../real-claude/setup.ts';

interface Listed {
  readonly id: string;
  readonly kind: string;
  readonly by: string;
  readonly name: string;
  readonly agent: string | null;
  readonly session: string | null;
}

/** How the model of each makes a list of one item, and checks it off. */
const checkedOff: Readonly<Record<string, readonly ModelTurn[]>> = {
  claude: [
    { calls: [{ name: 'TaskCreate', input: { subject: 'Login logic', description: 'Login logic', activeForm: 'Login logic' } }] },
    { calls: [{ name: 'TaskUpdate', input: { taskId: '1', status: 'completed' } }] },
  ],
  codex: [false, true].flatMap((done) => codexDriver.tools.todo?.([{ text: 'Login logic', done }]) ?? []),
};

const IDENTITY = '-c user.name=Sam -c user.email=sam@example.com';

/** A tree with work of the person's own; the first thing that the agent does is to throw it away. */
function scriptOf({ tools, pinned }: AgentDriver, repo: string): ModelScript {
  return [
    {
      name: 'main',
      turns: [
        tools.shell('git reset --hard && git clean -fd'),
        tools.write(join(repo, 'login.txt'), 'logged in\n'),
        ...(checkedOff[pinned.id] ?? []),
        ...(tools.subagent ? [tools.subagent('SUBTASK: write the tests')] : []),
        tools.shell(`git add -A && git ${IDENTITY} commit -qm "By the agent"`),
        // Git does not wait for the checkpoint of a commit: what is written meanwhile would be in that one.
        tools.shell(
          'n=0; until git for-each-ref --format="%(contents)" refs/piton | grep -q "kind.: .commit" || [ $n -gt 200 ]; do n=$((n+1)); sleep 0.1; done',
        ),
        tools.write(join(repo, 'later.txt'), 'not committed\n'),
        { text: 'Finished.' },
      ],
    },
    { name: 'sub', match: 'SUBTASK', turns: [tools.shell('echo tested > tests.txt'), { text: 'Tests are written.' }] },
  ];
}

/** A checkpoint is taken a moment after the answer: wait until the turn has its end. */
const settled = shell(
  'settled',
  `n=0; until ${piton('checkpoints', 'list', '--json').argv.join(' ')} | grep -q '"stop"'; do n=$((n+1)); [ $n -gt 50 ] && exit 1; sleep 0.1; done`,
);

const listed = (facts: Facts): Listed[] => JSON.parse(facts.step('piton checkpoints list --json').stdout) as Listed[];
const contents = (name: string) =>
  shell(name, 'for f in README.md mine.txt login.txt tests.txt later.txt; do echo "$f=$(cat $f 2>/dev/null | tr "\\n" "|")"; done');
const linesOf = (facts: Facts, name: string): string[] => facts.step(name).stdout.trimEnd().split('\n');

const DIRTY = ['README.md=# demo|changed|', 'mine.txt=mine|', 'login.txt=', 'tests.txt=', 'later.txt='];
const BUILT = ['README.md=# demo|', 'mine.txt=', 'login.txt=logged in|', 'tests.txt=tested|', 'later.txt=not committed|'];

async function play(driver: AgentDriver): Promise<Facts> {
  const room = newStage(driver);
  return runWithPiton(driver, room, {
    prompt: 'Build the login.',
    script: scriptOf(driver, room.repo),
    before: [shell('dirty', 'echo mine > mine.txt; echo changed >> README.md')],
    after: [
      settled,
      piton('checkpoints', 'list', '--json'),
      contents('after the turn'),
      piton('explain', 'HEAD'),
      piton('blame', 'login.txt', '--json'),
      piton('resume'),
      piton('rewind', '--yes'),
      contents('after the rewind'),
      piton('rewind', '--undo', '--yes'),
      contents('after the undo'),
      shell('commit', `git add -A && git ${IDENTITY} commit -qm "By me" && git log -1 --format=%B`),
      shell('fsck', 'git fsck --no-dangling'),
    ],
  });
}

for (const driver of [claudeDriver, codexDriver]) {
  const { id } = driver.pinned;
  describeReal(id, 'checkpoints of a whole session', () => {
    test('prompt, subagent, to-do, commit and stop; back to before the prompt, and forth again', async () => {
      const facts = await play(driver);
      const found = listed(facts);
      expect(found.map(({ kind, by, name }) => [kind, by, name])).toEqual([
        ['prompt', 'human', 'Before: Build the login.'],
        // `git reset --hard` names no file: what it changed could have been the person's doing as well.
        ['part', 'shared', 'Build the login.'],
        ['todo', 'agent', 'Completed: Login logic'],
        ['task', 'agent', expect.stringMatching(/^Task: (subtask|SUBTASK: write the tests)$/)],
        // All that it holds was saved before it.
        ['commit', 'human', 'By the agent'],
        ['stop', 'agent', 'Build the login.'],
      ]);
      expect(new Set(found.map(({ agent }) => agent))).toEqual(new Set([id]));
      expect(new Set(found.map(({ session }) => session)).size).toBe(1);
      const session = found[0]?.session ?? '';

      expect(linesOf(facts, 'after the turn')).toEqual(BUILT);
      expect(facts.step('piton explain HEAD').stdout).toContain('by agents 2 (100 %), by you 0 (0 %)');
      expect(JSON.parse(facts.step('piton blame login.txt --json').stdout)).toMatchObject([{ line: 1, by: 'agent', agent: id, session }]);
      expect(facts.step('piton resume').stdout.trim().split(' ')).toEqual(
        driver === claudeDriver ? ['claude', '--resume', session] : ['codex', 'resume', session],
      );

      expect(linesOf(facts, 'after the rewind')).toEqual(DIRTY);
      expect(linesOf(facts, 'after the undo')).toEqual(BUILT);
      expect(facts.step('commit').stdout).toMatch(/^By me\n\nPiton-Checkpoint: \w{26}$/m);
      expect(facts.step('fsck')).toMatchObject({ exit: 0, stdout: '' });
    });
  });
}
