import { type LintFinding, shellOf } from '@piton/artifacts';
import { readRegular } from '../files/regular-file.ts';
import { lintProgram } from './lint-executable.ts';
import { lintFolder, MAX_SIZE, readFolder } from './lint-folder.ts';
import { lintSettings } from './lint-settings.ts';
import { shellcheck } from './shellcheck.ts';
import type { LintTarget } from './targets.ts';

/** All findings, ours and shellcheck's. `checker` is where that one lies. */
export function lintTarget(target: LintTarget, checker: string | undefined): readonly LintFinding[] {
  switch (target.kind) {
    case 'artifact': {
      const read = readFolder(target.path);
      const texts = read.ok ? shellOf(read.input) : [];
      return [...lintFolder(target.path), ...texts.flatMap(({ file, line, text }) => shellcheck(checker, file, line, text))];
    }
    case 'settings':
      return lintSettings(target.path);
    case 'executable':
      return [...lintProgram(target.path), ...shellcheck(checker, target.path, 1, scriptAt(target.path))];
  }
}

/** Only shell scripts go to shellcheck. */
function scriptAt(path: string): string {
  try {
    const text = readRegular(path, MAX_SIZE).toString('utf8');
    return /^#!.*\b(?:ba|da|k)?sh\b/.test(text) ? text : '';
  } catch {
    return '';
  }
}
