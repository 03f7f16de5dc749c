import { join } from 'node:path';
import { inSession, type PageStage } from './stage.ts';

const MODEL = 'claude-sonnet-4-5';
const USAGE = { input_tokens: 2_400, output_tokens: 900, cache_read_input_tokens: 48_000, cache_creation_input_tokens: 6_200 };

/** A session of an agent that calls its hooks and writes its transcript, step by step. */
export function playedSession(stage: PageStage, id: string) {
  const base = inSession(stage, id);
  let calls = 0;
  const fire = (event: string, more: object = {}): string => stage.fire('claude', event, { ...base, ...more });
  const next = (): number => {
    calls += 1;
    return calls;
  };
  const answer = (text: string) =>
    stage.transcript(id, 'assistant', { id: `msg-${id}-${next()}`, model: MODEL, content: [{ type: 'text', text }], usage: USAGE });
  const call = (name: string, input: object, output: object | null, act: () => void = () => {}): boolean => {
    const use = `toolu-${id}-${next()}`;
    stage.transcript(id, 'assistant', {
      id: `msg-${use}`,
      model: MODEL,
      content: [{ type: 'tool_use', id: use, name, input }],
      usage: USAGE,
    });
    const said = fire('PreToolUse', { tool_name: name, tool_use_id: use, tool_input: input });
    if (said.includes('"deny"')) return false;
    act();
    if (output) fire('PostToolUse', { tool_name: name, tool_use_id: use, tool_input: input, tool_response: output });
    else fire('PostToolUseFailure', { tool_name: name, tool_use_id: use, tool_input: input, error: 'Exit code 1\n1 test failed' });
    return true;
  };
  return {
    fire,
    answer,
    call,
    begin: () => fire('SessionStart', { source: 'startup', model: MODEL }),
    prompt(text: string) {
      fire('UserPromptSubmit', { prompt: text });
      stage.transcript(id, 'user', { content: text });
    },
    run: (command: string, stdout: string, act?: () => void) =>
      call('Bash', { command, description: 'run' }, { stdout, stderr: '', interrupted: false, isImage: false }, act),
    fail: (command: string) => call('Bash', { command, description: 'run' }, null),
    file: (path: string, content: string) =>
      call('Write', { file_path: join(stage.work, path), content }, { filePath: join(stage.work, path), content }, () =>
        stage.write(path, content),
      ),
    todos: (items: readonly (readonly [string, string])[]) =>
      call(
        'TodoWrite',
        { todos: items.map(([content, status]) => ({ content, status, activeForm: content })) },
        { newTodos: items.map(([content, status]) => ({ content, status })) },
      ),
    stop: (text: string) => {
      answer(text);
      fire('Stop', { stop_hook_active: false, last_assistant_message: text });
    },
    end: () => fire('SessionEnd', { reason: 'other' }),
  };
}
