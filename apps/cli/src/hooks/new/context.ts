import type { Template } from './template.ts';

/** Adds context that the model would otherwise have to find out. */
export const context: Template = {
  events: ['session_start', 'user_prompt_submit'],
  programs: ['head'],
  description: () => "Adds the branch and the project's CONTEXT.md to the model's context.",
  shell: () => `# Text on stdout goes into the model's context.
echo "Branch: \${PITON_BRANCH:-none}"
if [ -f "$CLAUDE_PROJECT_DIR/CONTEXT.md" ]; then head -c 4000 "$CLAUDE_PROJECT_DIR/CONTEXT.md"; fi
`,
  script: () => ({
    imports: ["import { existsSync, readFileSync } from 'node:fs';", "import { join } from 'node:path';"],
    body: `const notes = join(env.CLAUDE_PROJECT_DIR ?? '', 'CONTEXT.md');
const text = existsSync(notes) ? readFileSync(notes, 'utf8').slice(0, 4000) : '';
return { decision: 'replace', content: \`Branch: \${env.PITON_BRANCH ?? 'none'}\\n\${text}\` };`,
  }),
  python: () => ({
    imports: ['import pathlib'],
    body: `notes = pathlib.Path(env.get("CLAUDE_PROJECT_DIR", "")) / "CONTEXT.md"
text = notes.read_text(encoding="utf-8", errors="replace")[:4000] if notes.is_file() else ""
return {"decision": "replace", "content": f"Branch: {env.get('PITON_BRANCH', 'none')}\\n{text}"}`,
  }),
  cases: () => [{ name: 'names the branch', expect: { decision: 'replace', content_matches: '^Branch: ' } }],
};
