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
  python: () => ({
    imports: ['import datetime', 'import pathlib'],
    body: `state = env.get("XDG_STATE_HOME") or str(pathlib.Path.home() / ".local/state")
log = pathlib.Path(env.get("HOOK_LOG") or f"{state}/hooks.log")
log.parent.mkdir(parents=True, exist_ok=True)
subject = f"{env.get('PITON_TOOL_COMMAND', '')} {env.get('PITON_TOOL_FILES', '')}".replace("\\n", " ")
now = datetime.datetime.now(datetime.timezone.utc).strftime("%Y-%m-%dT%H:%M:%SZ")
with log.open("a", encoding="utf-8", errors="replace") as lines:
    print(now, env.get("PITON_AGENT"), env.get("PITON_EVENT"), env.get("TOOL_NAME", ""), subject, file=lines)
return None`,
  }),
  cases: () => [{ name: 'makes no decision', env: { HOOK_LOG: '/dev/null' }, expect: { decision: 'observe' } }],
};
