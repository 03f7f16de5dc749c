import { filesRunBy, isShell } from '../shell/programs.ts';
import { readCommands } from '../shell/simple-commands.ts';
import type { FindFile, RunText } from './context.ts';

const FOLDER = /^\$(?:PITON_ARTIFACT_DIR|\{PITON_ARTIFACT_DIR\})\/+(?:\.\/)*/;

/**
 * The path in the artifact's folder that a word of an action refers to. A word that starts with a bundled name has the folder
 * prepended. `scripts/` always refers to the folder, even if the file does not exist.
 */
export function bundledPath(word: string): string | undefined {
  const path = FOLDER.test(word) ? word.replace(FOLDER, '') : /^(?:\.\/)?scripts\//.test(word) ? word.replace(/^\.\//, '') : undefined;
  return path === undefined || path.includes('$') ? undefined : path;
}

export function actionText(file: string, line: number, text: string): RunText {
  return { kind: 'action', file, line, text, shell: readCommands(text) };
}

export const scriptText = (file: string, text: string): RunText => ({
  ...{ kind: 'script', file, line: 1, text },
  ...(isShell(file.split('/').at(-1) ?? '', text) && { shell: readCommands(text) }),
});

/** The action, and the scripts of its folder that it runs. */
export function withScripts(action: RunText, findFile: FindFile): RunText[] {
  const paths = (action.shell?.commands ?? []).flatMap(filesRunBy).flatMap(({ word }) => bundledPath(word.text) ?? []);
  const scripts = [...new Set(paths)].flatMap((path): RunText[] => {
    const text = findFile(path)?.text;
    return typeof text === 'string' ? [scriptText(siblingPath(action.file, path), text)] : [];
  });
  return [action, ...scripts];
}

/** A module is not a shell script, whatever its name. */
export function moduleText(file: string, module: unknown, findFile: FindFile): RunText[] {
  const path = typeof module === 'string' ? module.replace(/^\.\//, '') : undefined;
  const text = path === undefined ? undefined : findFile(path)?.text;
  return path === undefined || typeof text !== 'string' ? [] : [{ kind: 'script', file: siblingPath(file, path), line: 1, text }];
}

/** A path relative to the folder of a file. */
export const siblingPath = (file: string, path: string): string => file.replace(/[^/]*$/, () => path);
