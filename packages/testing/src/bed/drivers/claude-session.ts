import { join } from 'node:path';
import type { ModelScript, ModelTurn } from '../../model/script.ts';
import type { Workspace } from '../workspace.ts';

export const bash = (command: string, text?: string): ModelTurn => ({
  ...(text && { text }),
  calls: [{ name: 'Bash', input: { command, description: 'run' } }],
});
const tool = (name: string, input: Record<string, unknown>): ModelTurn => ({ calls: [{ name, input }] });

/** A session with every kind of event of Claude Code: success, failure, edits, a subagent. */
export function broadSession(workspace: Workspace): ModelScript {
  const file = join(workspace.repo, 'a.txt');
  return [
    {
      name: 'main',
      turns: [
        bash('echo hi | tee shell-ran.txt', 'Running a command.'),
        tool('Write', { file_path: file, content: 'one\n' }),
        tool('Edit', { file_path: file, old_string: 'one', new_string: 'two' }),
        tool('Read', { file_path: file }),
        bash('echo oops >&2; exit 3'),
        tool('Read', { file_path: join(workspace.repo, 'missing.txt') }),
        tool('Agent', { description: 'list', prompt: 'SUBTASK: list files', subagent_type: 'general-purpose', run_in_background: false }),
        { text: 'Final answer.' },
      ],
    },
    { name: 'sub', match: 'SUBTASK', turns: [bash('ls'), { text: 'Listed.' }] },
  ];
}
