import { eventually } from '@piton/testing';
import { playedSession } from './session.ts';
import { type PageStage, pageStage } from './stage.ts';

const README = '# Harbor\n\nBerths, ships and the bookings between them.\n';

const server = (extra = '') => `import { createServer } from 'node:http';
import { berths } from './berths.js';

export const server = createServer((request, response) => {
  const url = new URL(request.url, 'http://localhost');
${extra}  if (url.pathname === '/berths') {
    response.setHeader('content-type', 'application/json');
    response.end(JSON.stringify(berths()));
    return;
  }
  response.statusCode = 404;
  response.end();
});
`;
const BERTHS = `const all = [
  { id: 1, length: 120, free: true },
  { id: 2, length: 90, free: false },
];

export const berths = () => all.filter((berth) => berth.free);
`;
const BOOKINGS = `import { berths } from './berths.js';

/** The shortest berth in which the ship fits. */
export function book(ship) {
  const fitting = berths().filter(({ length }) => length >= ship.length);
  fitting.sort((a, b) => a.length - b.length);
  return fitting[0] ?? null;
}
`;
const BOOK_ROUTE = `  if (url.pathname === '/book') {
    const berth = book({ length: Number(url.searchParams.get('length')) });
    response.statusCode = berth ? 200 : 409;
    response.end(JSON.stringify(berth));
    return;
  }
`;
const TEST = `import assert from 'node:assert';
import { test } from 'node:test';
import { book } from '../src/bookings.js';

test('a ship gets the shortest berth in which it fits', () => {
  assert.equal(book({ length: 80 }).id, 1);
});
`;
const ANSWER = `Booking works now:

- \`src/bookings.js\` finds the **shortest berth** in which a ship fits
- \`/book?length=80\` answers with it, or with 409

\`\`\`js
const berth = book({ length: 80 });
\`\`\`

| ship | berth |
|---|---|
| 80 m | 1 |
| 200 m | none |

Next I would add dates to the bookings.`;

async function checkpointed(stage: PageStage, name: string): Promise<void> {
  await eventually(async () => (await stage.piton('checkpoints', 'list', '--json')).includes(name));
}

function begin(stage: PageStage): void {
  stage.write('README.md', README);
  stage.write('src/berths.js', BERTHS);
  stage.write('src/server.js', server());
  stage.write('package.json', '{ "name": "harbor", "type": "module" }\n');
  stage.git('add', '-A');
  stage.git('commit', '-qm', 'Begin with berths');
}

async function bookBerths(stage: PageStage): Promise<void> {
  const session = playedSession(stage, 'book-berths');
  session.begin();
  session.prompt('Let ships book a berth: the shortest one in which they fit. Write a test.');
  session.todos([
    ['Find the berth', 'in_progress'],
    ['Add the route', 'pending'],
    ['Write a test', 'pending'],
  ]);
  session.call(
    'Read',
    { file_path: `${stage.work}/src/berths.js` },
    { type: 'text', file: { filePath: 'src/berths.js', content: BERTHS, numLines: 6, startLine: 1, totalLines: 6 } },
  );
  session.file('src/bookings.js', BOOKINGS);
  session.file('src/server.js', server(BOOK_ROUTE));
  session.run('rm -rf /', '');
  session.fail('node --test');
  session.file('test/bookings.test.js', TEST);
  session.run('node --test', 'ℹ tests 1\nℹ pass 1\nℹ fail 0\n');
  session.todos([
    ['Find the berth', 'completed'],
    ['Add the route', 'completed'],
    ['Write a test', 'completed'],
  ]);
  session.stop(ANSWER);
  await checkpointed(stage, 'Let ships book');
  stage.write('README.md', `${README}\nWritten by hand: how to book a berth.\n`);
  session.prompt('The server lacks the import of book. Commit when it works.');
  session.file('src/server.js', server(BOOK_ROUTE).replace("'./berths.js';", "'./berths.js';\nimport { book } from './bookings.js';"));
  session.run('git add -A && git commit -qm "Let ships book a berth"', '', () => {
    stage.git('add', '-A');
    stage.git('commit', '-qm', 'Let ships book a berth');
  });
  session.stop('Done and committed.');
  await checkpointed(stage, 'The server lacks');
  session.end();
}

function reviewInPieces(stage: PageStage): void {
  const session = playedSession(stage, 'review');
  session.begin();
  session.prompt('Review the bookings. Look for ships that fit nowhere.');
  session.fire('SubagentStart', { agent_id: 'a1b2', agent_type: 'Explore' });
  session.fire('PreToolUse', {
    agent_id: 'a1b2',
    agent_type: 'Explore',
    tool_name: 'Grep',
    tool_use_id: 'grep-1',
    tool_input: { pattern: 'book\\(' },
  });
  session.fire('PostToolUse', {
    agent_id: 'a1b2',
    agent_type: 'Explore',
    tool_name: 'Grep',
    tool_use_id: 'grep-1',
    tool_input: { pattern: 'book\\(' },
    tool_response: { mode: 'content', numFiles: 2, filenames: [], content: 'src/server.js:8', numLines: 1 },
  });
  session.fire('SubagentStop', { agent_id: 'a1b2', agent_type: 'Explore', last_assistant_message: 'Two calls of book().' });
  session.run('node --test --test-name-pattern=none', 'ℹ tests 0\n');
}

/** The session that waits for a person until somebody answers. */
export function waitForPermission(stage: PageStage) {
  const session = playedSession(stage, 'migrate');
  session.begin();
  session.prompt('Migrate the database to the new bookings table');
  const call = {
    tool_name: 'Bash',
    tool_use_id: 'toolu-migrate',
    tool_input: { command: 'npx prisma migrate deploy --schema db/schema.prisma' },
  };
  session.fire('PreToolUse', call);
  session.fire('PermissionRequest', call);
  return {
    answer: () => session.fire('PostToolUse', { ...call, tool_response: { stdout: 'ok', stderr: '', interrupted: false, isImage: false } }),
    stop: () => session.stop('The table is there.'),
  };
}

/** A day in a repository, as four agents and a person spend it. */
export async function playDay(): Promise<{ readonly stage: PageStage; readonly waiting: ReturnType<typeof waitForPermission> }> {
  const stage = await pageStage(['claude', 'codex', 'gemini', 'copilot']);
  begin(stage);
  await stage.piton('hooks', 'add', 'block-destructive-commands');
  await bookBerths(stage);
  for (const agent of ['codex', 'gemini', 'copilot']) stage.replay(agent);
  reviewInPieces(stage);
  const waiting = waitForPermission(stage);
  return { stage, waiting };
}
