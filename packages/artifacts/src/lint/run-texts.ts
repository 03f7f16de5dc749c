import { filesRunBy, isShell } from '../shell/programs.ts';
import { readCommands } from '../shell/simple-commands.ts';
import type { LookAt, RunText } from './world.ts';

const FOLDER = /^\$(?:PITON_ARTIFACT_DIR|\{PITON_ARTIFACT_DIR\})\/+(?:\.\/)*/;

/**
 * The path in its own folder that a word of an action means. Words that begin with something bundled have the folder put
 * before them; `scripts/` is where scripts lie, so such a word is meant so even if nothing is there.
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

/** The action, and the scripts of its own folder that it runs. */
export function withScripts(action: RunText, look: LookAt): RunText[] {
  const paths = (action.shell?.commands ?? []).flatMap(filesRunBy).flatMap(({ word }) => bundledPath(word.text) ?? []);
  const scripts = [...new Set(paths)].flatMap((path): RunText[] => {
    const text = look(path)?.text;
    return typeof text === 'string' ? [scriptText(beside(action.file, path), text)] : [];
  });
  return [action, ...scripts];
}

/** A module is no script of a shell, whatever its name. */
export function moduleText(file: string, module: unknown, look: LookAt): RunText[] {
  const path = typeof module === 'string' ? module.replace(/^\.\//, '') : undefined;
  const text = path === undefined ? undefined : look(path)?.text;
  return path === undefined || typeof text !== 'string' ? [] : [{ kind: 'script', file: beside(file, path), line: 1, text }];
}

/** A path from the folder in which a file lies. */
export const beside = (file: string, path: string): string => file.replace(/[^/]*$/, () => path);
