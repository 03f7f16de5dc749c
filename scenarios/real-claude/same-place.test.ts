import { join } from 'node:path';
import { addClaudeHooks, bash, describeReal, talk, type Workspace } from '@piton/testing';
import { describe, expect, test } from 'vitest';
import { addProjectHook, addUserHook, newStage, piton, runWithPiton } from './setup.ts';

/** Says where it runs. Everything comes from the kernel, nothing from a shell that would add its own. */
const probe = (out: string) => `#!${process.execPath}
const fs = require('node:fs');
const read = (name) => { try { return fs.readFileSync('/proc/self/' + name, 'utf8'); } catch (error) { return error.code; } };
const link = (name) => { try { return fs.readlinkSync('/proc/self/' + name); } catch (error) { return error.code; } };
const statOf = (pid) => fs.readFileSync('/proc/' + pid + '/stat', 'utf8').replace(/^.*\\) /s, '').split(' ');
const stat = statOf('self');
const status = Object.fromEntries(read('status').split('\\n').map((line) => line.split(':\\t')));
const opens = (path) => { try { fs.closeSync(fs.openSync(path, 'r')); return true; } catch (error) { return error.code; } };
fs.readFileSync(0);
const report = {
  environment: Object.fromEntries(read('environ').split('\\0').filter(Boolean).map((pair) => [pair.slice(0, pair.indexOf('=')), pair.slice(pair.indexOf('=') + 1)])),
  cwd: link('cwd'), root: link('root'), umask: status.Umask, cgroup: read('cgroup'),
  namespaces: fs.readdirSync('/proc/self/ns').sort().map((name) => link('ns/' + name)),
  // Claude Code gives every hook a session of its own: whoever made that session must be the same.
  sessionOf: statOf(stat[3])[1], terminal: stat[4], opensTerminal: opens('/dev/tty'), nice: stat[16], limits: read('limits'),
  ignored: status.SigIgn, blocked: status.SigBlk, caps: status.CapEff, bounding: status.CapBnd, seccomp: status.Seccomp, privileges: status.NoNewPrivs,
  ids: [status.Uid, status.Gid, status.Groups], oom: read('oom_score_adj'), openFiles: fs.readdirSync('/proc/self/fd').length, personality: read('personality'),
};
const out = ${JSON.stringify(out)};
fs.writeFileSync(out + '.' + process.pid, JSON.stringify(report));
fs.renameSync(out + '.' + process.pid, out);
`;

interface Report {
  readonly environment: Readonly<Record<string, string>>;
  readonly sessionOf: string;
  readonly terminal: string;
}

const NATIVE = {
  'session-start': 'SessionStart',
  'user-prompt-submit': 'UserPromptSubmit',
  'pre-tool-use': 'PreToolUse',
  stop: 'Stop',
} as const;
const EVENTS = Object.keys(NATIVE) as (keyof typeof NATIVE)[];

/** Claude Code runs one probe itself, and through Piton one of the user's and one of the project's, on the same event. */
function addProbes(workspace: Workspace): void {
  for (const event of EVENTS) {
    const path = join(workspace.state, `probe-${event}`);
    workspace.writeProgram(path, probe(join(workspace.state, `direct.${event}`)));
    addClaudeHooks(workspace, { [NATIVE[event]]: [{ type: 'command', command: path, args: [] }] });
    addUserHook(workspace, event, probe(join(workspace.state, `user.${event}`)), 'probe');
    addProjectHook(workspace, event, probe(join(workspace.state, `project.${event}`)), 'probe');
  }
}

function reportOf(workspace: Workspace, who: string, event: string): Report {
  const text = workspace.read(join(workspace.state, `${who}.${event}`));
  if (text === undefined) throw new Error(`the ${who} probe did not run on ${event}`);
  return JSON.parse(text) as Report;
}

/** The agent's own keys: nothing for hooks that come with a repository. */
const CREDENTIALS = ['ANTHROPIC_API_KEY', 'CLAUDE_CODE_MESSAGING_TOKEN'];

/** Names that Piton adds or takes away on purpose. */
const ours = (name: string, taken: readonly string[]) => /^(PITON|TOOL|GIT)_/.test(name) || taken.includes(name);
const without = (report: Report, taken: readonly string[]): Report => ({
  ...report,
  environment: Object.fromEntries(
    Object.entries(report.environment)
      .filter(([name]) => !ours(name, taken))
      // Claude Code numbers its hooks here.
      .map(([name, value]) => [name, name === 'CLAUDE_ENV_FILE' ? value.replace(/hook-\d+/, 'hook-N') : value]),
  ),
});

describeReal('claude', 'the same place', () => {
  describe.each([
    ['without a terminal', false],
    ['on a terminal', true],
  ])('%s', (_, terminal) => {
    test('a hook runs in the directory and environment that Claude Code gives it', async () => {
      const workspace = newStage();
      addProbes(workspace);
      const facts = await runWithPiton(workspace, {
        script: talk(bash('cd /tmp && ls > /dev/null; echo hi'), { text: 'Finished.' }),
        before: [piton('trust', '--all', '--yes')],
        env: { GIT_EDITOR: 'true', GIT_AUTHOR_NAME: 'Somebody', AGENT_SAYS: 'a b\nc', ODD: '', LANG: 'C' },
        terminal,
      });
      expect(facts).toMatchObject({ exit: 0, timedOut: false });
      for (const event of EVENTS) {
        const direct = reportOf(workspace, 'direct', event);
        expect(direct.environment).toMatchObject({ GIT_EDITOR: 'true', AGENT_SAYS: 'a b\nc', ANTHROPIC_API_KEY: 'test' });

        const user = reportOf(workspace, 'user', event);
        expect(without(user, []), `user hook on ${event}`).toEqual(without(direct, []));
        const project = reportOf(workspace, 'project', event);
        expect(without(project, CREDENTIALS), `project hook on ${event}`).toEqual(without(direct, CREDENTIALS));

        for (const name of CREDENTIALS) {
          expect(direct.environment).toHaveProperty(name);
          expect(project.environment).not.toHaveProperty(name);
        }
        for (const { environment } of [user, project]) {
          expect(Object.keys(environment).filter((name) => name.startsWith('GIT_'))).toEqual([]);
          expect(environment).toMatchObject({ PITON_AGENT: 'claude', PITON_EVENT: event.replaceAll('-', '_') });
        }
      }
    });
  });
});
