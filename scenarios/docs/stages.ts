import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { eventually } from '@piton/testing';
import type { Stage } from '../repository-setup.ts';

const twentyLines = Array.from({ length: 20 }, (_, at) => `export const line${at} = ${at};\n`).join('');

/** What a page's blocks may take for granted (`<!-- given: a turn, a commit -->`), because it takes an agent. */
export const STAGES: Readonly<Record<string, (stage: Stage) => Promise<void>>> = {
  async 'a turn'(stage) {
    mkdirSync(join(stage.work, 'src'), { recursive: true });
    await stage.turn('one', 'Write the login', 'src/login.ts', twentyLines);
  },
  async 'a commit'(stage) {
    stage.commit('Add the login');
  },
  async 'an observation'(stage) {
    const tool_input = { command: 'npm test' };
    stage.fire('PostToolUse', 'one', { tool_name: 'Bash', tool_use_id: 'o', tool_input, tool_response: { stdout: '3 passed' } });
    await eventually(() => stage.piton('observations', '--json').stdout.includes('npm test'));
  },
  /** Whatever hook the page made by then denies one of them. */
  async 'a denied call'(stage) {
    stage.fire('UserPromptSubmit', 'two', { prompt: 'Clean up' });
    for (const [id, command] of [
      ['c1', 'rm -rf build'],
      ['c2', 'git push --force'],
    ])
      stage.fire('PreToolUse', 'two', { tool_name: 'Bash', tool_use_id: id, tool_input: { command } });
    stage.fire('Stop', 'two', { stop_hook_active: false });
    await eventually(() => stage.piton('events', '--denied', '--json').stdout.includes('"deny"'));
  },
};
