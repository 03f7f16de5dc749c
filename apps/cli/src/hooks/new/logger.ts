import type { Template } from './template.ts';

/** Logs a line per event. */
export const logger: Template = {
  events: ['post_tool_use'],
  anyEvent: true,
  observe: true,
  programs: ['date', 'tr'],
  description: (event) => `Appends a line to a log file on each ${event}.`,
  shell: () => `log=\${HOOK_LOG:-\${XDG_STATE_HOME:-$HOME/.local/state}/hooks.log}
mkdir -p "$(dirname "$log")"
subject=$(printf '%s %s' "$PITON_TOOL_COMMAND" "$PITON_TOOL_FILES" | tr '\\n' ' ')
printf '%s %s %s %s %s\\n' "$(date -u +%Y-%m-%dT%H:%M:%SZ)" "$PITON_AGENT" "$PITON_EVENT" "$TOOL_NAME" "$subject" >> "$log"
`,
  script: () => ({
    imports: [
      "import { appendFileSync, mkdirSync } from 'node:fs';",
      "import { homedir } from 'node:os';",
      "import { dirname, join } from 'node:path';",
    ],
    body: `const log = env.HOOK_LOG ?? join(env.XDG_STATE_HOME ?? join(homedir(), '.local/state'), 'hooks.log');
mkdirSync(dirname(log), { recursive: true });
const subject = \`\${env.PITON_TOOL_COMMAND ?? ''} \${env.PITON_TOOL_FILES ?? ''}\`.replaceAll('\\n', ' ');
appendFileSync(log, \`\${new Date().toISOString()} \${env.PITON_AGENT} \${env.PITON_EVENT} \${env.TOOL_NAME ?? ''} \${subject}\\n\`);
return undefined;`,
  }),
  cases: () => [{ name: 'makes no decision', env: { HOOK_LOG: '/dev/null' }, expect: { decision: 'observe' } }],
};
