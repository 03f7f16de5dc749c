import type { Template } from './template.ts';

/** Notifies the user when an agent is done or needs them. */
export const notifier: Template = {
  events: ['stop'],
  anyEvent: true,
  observe: true,
  description: (event) => `Shows a desktop notification on each ${event}.`,
  shell: () => `# To notify you another way, set HOOK_NOTIFY to a program that takes a title and a text.
title="$PITON_AGENT: $PITON_EVENT"
text=\${PITON_REPO:-$PITON_CWD}
if [ -n "$HOOK_NOTIFY" ]; then "$HOOK_NOTIFY" "$title" "$text"
elif command -v notify-send > /dev/null; then notify-send "$title" "$text"
elif command -v osascript > /dev/null; then osascript -e 'on run argv' -e 'display notification (item 2 of argv) with title (item 1 of argv)' -e 'end run' "$title" "$text"
fi > /dev/null 2>&1
exit 0 # no desktop is no failure
`,
  script: () => ({
    imports: ["import { spawnSync } from 'node:child_process';"],
    body: `const title = \`\${env.PITON_AGENT}: \${env.PITON_EVENT}\`;
const text = env.PITON_REPO ?? env.PITON_CWD ?? '';
const words = ['on run argv', 'display notification (item 2 of argv) with title (item 1 of argv)', 'end run'];
// To notify you another way, set HOOK_NOTIFY to a program that takes a title and a text.
const ways = env.HOOK_NOTIFY
  ? [[env.HOOK_NOTIFY, title, text]]
  : [['notify-send', title, text], ['osascript', ...words.flatMap((word) => ['-e', word]), title, text]];
// No desktop is no failure.
ways.find(([program = '', ...args]) => spawnSync(program, args, { stdio: 'ignore' }).error === undefined);
return undefined;`,
  }),
  python: () => ({
    imports: ['import shutil', 'import subprocess'],
    body: `title = f"{env.get('PITON_AGENT')}: {env.get('PITON_EVENT')}"
text = env.get("PITON_REPO") or env.get("PITON_CWD", "")
lines = ["on run argv", "display notification (item 2 of argv) with title (item 1 of argv)", "end run"]
# To notify you another way, set HOOK_NOTIFY to a program that takes a title and a text.
ways = [[env["HOOK_NOTIFY"]]] if env.get("HOOK_NOTIFY") else [["notify-send"], ["osascript", *(part for line in lines for part in ("-e", line))]]
for way in ways:
    if shutil.which(way[0]):
        subprocess.run([*way, title, text], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, check=False)
        break
return None  # no desktop is no failure`,
  }),
  cases: () => [{ name: 'makes no decision', env: { HOOK_NOTIFY: 'true' }, expect: { decision: 'observe' } }],
};
