import { chmodSync, cpSync, existsSync, mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { Failure } from '../failure.ts';

/** The demo's two hooks: ordinary files, as any user would write them. */
const HOOKS: Readonly<Record<string, string>> = {
  'pre-tool-use/10-no-rm-rf': `#!/bin/sh
# Denies \`rm -rf\`, whichever agent wants to run it. Exit 2 denies; the model reads stderr.
# The call is on standard input, whole, as JSON.
if grep -qE 'rm -(rf|fr)'; then
  echo 'rm -rf is not allowed here. Move it instead: mv <path> .trash/' >&2
  exit 2
fi
`,
  'session-start/10-context': `#!/bin/sh
# Plain text at the start of a session goes into the model's context.
echo "You work on branch $PITON_BRANCH. House rule: nothing is deleted, it is moved to .trash/."
`,
};

/** Writes the demo's hooks, or copies the edited ones of an earlier run. */
export function writeDemoHooks(directory: string, edited: string | undefined): void {
  if (edited !== undefined) {
    if (!existsSync(edited))
      throw new Failure('no such directory', { where: edited, remedy: '`piton demo --keep` leaves the hooks of a run for you to edit' });
    return cpSync(edited, directory, { recursive: true });
  }
  for (const [name, text] of Object.entries(HOOKS)) {
    const file = join(directory, name);
    mkdirSync(dirname(file), { recursive: true });
    writeFileSync(file, text);
    chmodSync(file, 0o755);
  }
}
