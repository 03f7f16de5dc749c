import type { EventName } from '@piton/contracts';
import type { Template } from './template.ts';

const onFiles = (event: EventName): boolean => event === 'pre_file_edit' || event === 'pre_read_file';
const NO_PUSH = 'Do not force a push here: it rewrites what others have. Push without --force, or ask.';
const NO_ENV = 'Leave .env files alone: they hold secrets. Use .env.example, or ask.';

/** Denies one thing, and says what to do instead. */
export const guard: Template = {
  events: ['pre_shell_execution', 'pre_tool_use', 'pre_file_edit', 'pre_read_file'],
  description: (event) =>
    onFiles(event) ? 'Denies edits of .env files, which hold secrets.' : 'Denies a forced push, and says what to do instead.',
  shell: (event) =>
    onFiles(event)
      ? `# PITON_TOOL_FILES lists one file per line. Exit 2 denies; the model reads stderr, so say what to do instead.
printf '%s\\n' "$PITON_TOOL_FILES" | while IFS= read -r file; do
  case "$file" in
    *.env.example) ;;
    .env | */.env | */.env.*) echo "${NO_ENV}" >&2; exit 2 ;;
  esac
done
`
      : `# The call comes as JSON on stdin, in every agent. Exit 2 denies; the model reads stderr, so say what to do instead.
case $(cat) in
  *git*push*--force-with-lease*) ;;
  *git*push*--force* | *git*push*" -f"*) echo "${NO_PUSH}" >&2; exit 2 ;;
esac
`,
  script: (event) => ({
    imports: [],
    body: onFiles(event)
      ? `const files = (env.PITON_TOOL_FILES ?? '').split('\\n');
const secret = files.some((file) => /(^|\\/)\\.env(\\.|$)/.test(file) && !file.endsWith('.env.example'));
// The model reads the reason, so it says what to do instead.
return secret ? { decision: 'deny', reason: '${NO_ENV}' } : undefined;`
      : `const command = String(payload.tool_input?.command ?? '');
const forced = /\\bgit\\b.*\\bpush\\b.*(\\s-f\\b|\\s--force(?!-with-lease))/s.test(command);
// The model reads the reason, so it says what to do instead.
return forced ? { decision: 'deny', reason: '${NO_PUSH}' } : undefined;`,
  }),
  python: (event) => ({
    imports: onFiles(event) ? ['import pathlib'] : ['import re'],
    body: onFiles(event)
      ? `for file in env.get("PITON_TOOL_FILES", "").split("\\n"):
    name = pathlib.PurePath(file).name
    if (name == ".env" or name.startswith(".env.")) and name != ".env.example":
        # The model reads the reason, so it says what to do instead.
        return {"decision": "deny", "reason": "${NO_ENV}"}
return None`
      : `command = str((payload.get("tool_input") or {}).get("command", ""))
if re.search(r"\\bgit\\b.*\\bpush\\b.*(\\s-f\\b|\\s--force(?!-with-lease))", command, re.DOTALL):
    # The model reads the reason, so it says what to do instead.
    return {"decision": "deny", "reason": "${NO_PUSH}"}
return None`,
  }),
  cases: (event) =>
    onFiles(event)
      ? [
          { name: 'denies .env', about: { file: '/tmp/project/.env' }, expect: { decision: 'deny', reason_matches: 'example' } },
          { name: 'allows other files', about: { file: '/tmp/project/.env.example' }, expect: { decision: 'observe' } },
        ]
      : [
          {
            name: 'denies a forced push',
            about: { command: 'git push --force' },
            expect: { decision: 'deny', reason_matches: 'without --force' },
          },
          { name: 'allows a plain push', about: { command: 'git push' }, expect: { decision: 'observe' } },
        ],
};
