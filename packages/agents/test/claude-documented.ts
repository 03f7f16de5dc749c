import { expect } from 'vitest';

/** The values that Claude Code 2.1.325 documents. */
export const CLAUDE_WORDS: Readonly<Record<string, Readonly<Record<string, readonly string[]>>>> = {
  session_start: { source: ['startup', 'resume', 'clear', 'compact', 'fork'] },
  session_end: { reason: ['clear', 'resume', 'logout', 'prompt_input_exit', 'bypass_permissions_disabled', 'other'] },
  pre_compact: { trigger: ['manual', 'auto'] },
  post_compact: { trigger: ['manual', 'auto'] },
  notification: {
    notification_type: [
      'permission_prompt',
      'idle_prompt',
      'auth_success',
      'elicitation_dialog',
      'elicitation_url_dialog',
      'elicitation_complete',
      'elicitation_response',
      'agent_needs_input',
      'agent_completed',
    ],
  },
  stop_failure: {
    error: [
      'rate_limit',
      'overloaded',
      'authentication_failed',
      'oauth_org_not_allowed',
      'account_on_hold',
      'verification_required',
      'billing_error',
      'invalid_request',
      'model_not_found',
      'server_error',
      'max_output_tokens',
      'cloud_credential_error',
      'unknown',
    ],
  },
};
export const CLAUDE_MODES = ['default', 'plan', 'acceptEdits', 'auto', 'dontAsk', 'bypassPermissions'];

const text = expect.any(String);
const patch = expect.any(Array);
const original = expect.toSatisfy((value) => value === null || typeof value === 'string');

/** What Claude Code 2.1.325 sends after each of its tools, by its own recordings and documentation: the fields that are always there. */
export const CLAUDE_RESPONSES: Readonly<Record<string, unknown>> = {
  Bash: { stdout: text, stderr: text, interrupted: expect.any(Boolean), isImage: false },
  Write: {
    type: expect.stringMatching(/^(?:create|update)$/),
    filePath: text,
    content: text,
    structuredPatch: patch,
    originalFile: original,
  },
  Edit: {
    filePath: text,
    oldString: text,
    newString: text,
    originalFile: original,
    structuredPatch: patch,
    replaceAll: expect.any(Boolean),
  },
  MultiEdit: { filePath: text, edits: expect.any(Array), originalFile: original, structuredPatch: patch },
  Read: {
    type: 'text',
    file: { filePath: text, content: text, numLines: expect.any(Number), startLine: expect.any(Number), totalLines: expect.any(Number) },
  },
  Glob: { filenames: expect.any(Array), numFiles: expect.any(Number), truncated: expect.any(Boolean) },
  Grep: { mode: text, filenames: expect.any(Array), numFiles: expect.any(Number) },
  TodoWrite: { oldTodos: expect.any(Array), newTodos: expect.any(Array) },
  Agent: { status: expect.stringMatching(/^(?:completed|async_launched)$/), prompt: text, content: expect.any(Array) },
  mcp: expect.any(Array),
};

/** What a tool of the name takes at least. */
export const CLAUDE_INPUTS: Readonly<Record<string, readonly string[]>> = {
  Bash: ['command'],
  Write: ['file_path', 'content'],
  Edit: ['file_path', 'old_string', 'new_string'],
  MultiEdit: ['file_path', 'edits'],
  Read: ['file_path'],
  Agent: ['prompt'],
};
