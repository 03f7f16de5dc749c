import type { Template } from './template.ts';

/** Formats what an agent has just written. */
export const formatter: Template = {
  events: ['post_file_edit'],
  programs: ['sed', 'mktemp'],
  description: () => 'Removes trailing spaces from files that an agent edited.',
  shell: () => `# PITON_TOOL_FILES lists one file per line. Put your formatter here, such as: npx prettier --write "$file"
printf '%s\\n' "$PITON_TOOL_FILES" | while IFS= read -r file; do
  case "$file" in *.md) continue ;; esac # trailing spaces mean something there
  [ -f "$file" ] && [ -w "$file" ] && grep -Iq . "$file" || continue
  tidy=$(mktemp) || exit 1
  sed 's/[[:blank:]]*$//' "$file" > "$tidy" && ! cmp -s "$tidy" "$file" && cat "$tidy" > "$file"
  rm -f "$tidy"
done
exit 0
`,
  script: () => ({
    imports: ["import { existsSync, readFileSync, writeFileSync } from 'node:fs';"],
    body: `for (const file of (env.PITON_TOOL_FILES ?? '').split('\\n')) {
  // In Markdown trailing spaces mean something.
  if (!existsSync(file) || file.endsWith('.md')) continue;
  const text = readFileSync(file, 'utf8');
  const tidy = text.replace(/[ \\t]+$/gm, '');
  if (tidy !== text && !text.includes('\\0')) writeFileSync(file, tidy);
}
return undefined;`,
  }),
  python: () => ({
    imports: ['import pathlib', 'import re'],
    body: `for name in env.get("PITON_TOOL_FILES", "").split("\\n"):
    file = pathlib.Path(name)
    # In Markdown trailing spaces mean something.
    if not file.is_file() or file.suffix == ".md":
        continue
    text = file.read_bytes()
    tidy = re.sub(rb"[ \\t]+(?=\\r?\\n|$)", b"", text)
    if tidy != text and b"\\0" not in text:
        file.write_bytes(tidy)
return None`,
  }),
  cases: () => [
    { name: 'makes no decision, even if the file is missing', about: { file: '/tmp/no-such-file.txt' }, expect: { decision: 'observe' } },
  ],
};
