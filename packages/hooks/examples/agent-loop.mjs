// An agent loop in sixty lines: a policy, context for the model, and an audit. The model is scripted, so that it runs anywhere.
import { appendFileSync } from 'node:fs';
import { defineHook, fire, hooksFromContext, withHooks } from '@piton/hooks';

const AUDIT = process.env.AUDIT_FILE ?? 'audit.jsonl';

const hooks = [
  defineHook({
    name: 'no-rm',
    event: 'pre_tool_use',
    matcher: 'Bash',
    when: { command: '/\\brm\\s+-\\w*r/' },
    failClosed: true,
    run: () => ({ decision: 'deny', reason: 'Move it to .trash instead of removing it.' }),
  }),
  defineHook({
    name: 'quiet-tests',
    event: 'pre_tool_use',
    when: { command: '/^npm test$/' },
    run: ({ tool_input }) => ({ decision: 'modify', input: { ...tool_input, command: 'npm test --silent' } }),
  }),
  // A command as people have them for Claude Code: what it prints at the start of a session is context.
  defineHook({ name: 'branch', event: 'session_start', command: 'echo "The branch is main."' }),
  ...['pre_tool_use', 'session_end'].map((event) =>
    defineHook({
      name: 'audit',
      event,
      observe: true,
      run: ({ hook_event_name, tool_input }) =>
        appendFileSync(AUDIT, `${JSON.stringify({ event: hook_event_name, command: tool_input?.command })}\n`),
    }),
  ),
];

/** Stands for a model: it wants to do these things, whatever it is told. */
const SCRIPT = ['ls', 'rm -rf build', 'npm test'];
const tools = { Bash: ({ command }) => `ran ${command}` };
const sessionId = 'example-1';

async function loop() {
  const all = hooksFromContext();
  const messages = [];
  const start = await fire(all, 'session_start', { sessionId, source: 'startup' });
  if (start.decision.content) messages.push({ role: 'system', text: start.decision.content });
  for (const command of SCRIPT) {
    const call = { sessionId, toolName: 'Bash', toolInput: { command } };
    const { decision, afterwards } = await fire(all, 'pre_tool_use', call);
    await afterwards;
    const denied = decision.verdict === 'deny' || decision.verdict === 'ask'; // nobody sits here who could be asked
    messages.push({ role: 'tool', text: denied ? `denied: ${decision.reason}` : tools.Bash(decision.input ?? call.toolInput) });
  }
  await (await fire(all, 'session_end', { sessionId })).afterwards;
  return messages;
}

for (const { role, text } of await withHooks(hooks, loop)) console.log(`${role}: ${text}`);
