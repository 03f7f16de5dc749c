import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';

// A text that names a command is right only if somebody puts in how Piton is called for whoever reads it. Where the command shows it,
// the command does. What the server says by itself goes through `nameCommand`, or is in no text for a person.
const ROOT = join(import.meta.dirname, '../../..');
const MADE_INTO_SERVER = ['lifecycle', 'hooks', 'context', 'checkpoints', 'shell', 'git', 'redact'];
const FOLDERS = ['apps/server/src', 'apps/client/src', ...MADE_INTO_SERVER.map((name) => `packages/${name}/src`)];

const NAMES =
  /(?<![\w/.@-])piton (?:init|status|doctor|uninstall|events|sessions|search|checkpoints|rewind|explain|blame|resume|handoff|export|clean|hooks|trust|untrust|lint|materialize|server|mcp|settings|schema|agents|team)\b/;

/** Where a text names a command, and who puts in how it is called. */
const NAMED_BY: Readonly<Record<string, string>> = {
  // As problems of the server, which `status` and `doctor` show.
  'apps/server/src/checkpoints/thread.ts': 'problem',
  'apps/server/src/recorder-reports.ts': 'problem',
  'apps/server/src/serve.ts': 'problem',
  'apps/server/src/record/recorder-worker.ts': 'problem',
  'apps/server/src/record/recorder.ts': 'problem',
  'apps/server/src/transport/git-hook.ts': 'problem',
  'apps/server/src/subscriptions/subscriptions.ts': 'problem',
  'packages/checkpoints/src/turns/worker.ts': 'problem',
  'packages/checkpoints/src/turns/requests.ts': 'problem',
  'packages/checkpoints/src/turns/reports.ts': 'problem',
  'packages/checkpoints/src/turns/late-events.ts': 'problem',
  'packages/checkpoints/src/turns/calls/before-call.ts': 'problem',
  'apps/server/src/transport/frame-handler.ts': 'problem, and nameCommand for each notice',
  'apps/server/src/versions/agent-versions.ts': 'problem, and a notice',
  'packages/lifecycle/src/decide-frame.ts': 'problem, and nameCommand for the notice of a session',
  // Notices: the frame handler, the stand-in and the decision of a session start name the command.
  'packages/lifecycle/src/session/notice.ts': 'notice',
  'packages/checkpoints/src/kept/kept-call.ts': 'notice',
  'packages/context/src/advisory/advisory.ts': 'notice, and `piton events`',
  // By themselves.
  'apps/server/src/subscriptions/post-commit.ts': 'nameCommand',
  'packages/hooks/src/fail-closed.ts': 'nameCommand',
  'packages/hooks/src/last-resort/denies.ts': 'nameCommand',
  // As findings of hooks, and in traces, which the command lists.
  'packages/hooks/src/permission.ts': 'trace',
  'packages/hooks/src/registry/executables.ts': 'finding',
  'packages/hooks/src/registry/settings.ts': 'finding',
  'packages/hooks/src/registry/artifacts.ts': 'finding',
  'packages/hooks/src/registry/project-trust.ts': 'finding',
  'packages/hooks/src/registry/registry.ts': 'finding',
  'packages/hooks/src/trust/trust.ts': 'finding',
  // For other programs: answers to a request that the command made, and what a file begins with.
  'apps/server/src/process/fatal-message.ts': 'name of the program',
  'packages/checkpoints/src/snapshot/packs.ts': 'file of ours',
  'apps/server/src/transport/http.ts': 'protocol',
  // Comments in files that anybody may carry on: they say who wrote it.
  'packages/checkpoints/src/git-hooks/lefthook.ts': 'comment in a file',
  'packages/checkpoints/src/git-hooks/script.ts': 'comment in a file',
  // Started by hand and without a home: there is nothing to find the command by.
  'apps/server/src/main.ts': 'no home',
};

const withoutComments = (code: string): string => code.replaceAll(/^\s*(?:\/\*\*?|\*|\/\/).*$/gm, '').replaceAll(/\s\/\/ .*$/gm, '');

it('of every text that the server may write it is known who puts in how the command is called', () => {
  const files = FOLDERS.flatMap((folder) =>
    readdirSync(join(ROOT, folder), { recursive: true, encoding: 'utf8' })
      .filter((path) => path.endsWith('.ts'))
      .map((path) => join(folder, path)),
  );
  const naming = files.filter((file) => NAMES.test(withoutComments(readFileSync(join(ROOT, file), 'utf8'))));
  expect(naming.filter((file) => NAMED_BY[file] === undefined)).toEqual([]);
  expect(Object.keys(NAMED_BY).filter((file) => !naming.includes(file))).toEqual([]);
  const unnamed = naming.filter(
    (file) => NAMED_BY[file]?.includes('nameCommand') && !readFileSync(join(ROOT, file), 'utf8').includes('nameCommand('),
  );
  expect(unnamed).toEqual([]);
});
