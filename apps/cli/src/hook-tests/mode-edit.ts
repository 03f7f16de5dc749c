import { basename } from 'node:path';
import { withMode } from '@piton/artifacts';
import { type HookDefinition, settingPosition } from '@piton/hooks';
import { Failure } from '../failure.ts';
import { readConfig, writeConfig } from '../install/config-file.ts';
import { saveSettings } from '../settings/edit.ts';
import { readSettings } from '../settings/files.ts';
import { withSettingMode } from './setting-mode.ts';

export type Mode = 'shadow' | 'enforce';

/** How a hook was declared, as far as that decides where its mode is written. */
export function declarationOf({ source, argv, module }: HookDefinition): 'artifact' | 'setting' | 'executable' {
  if (basename(source) === 'ARTIFACT.md') return 'artifact';
  return module !== undefined || argv[0] === '/bin/sh' ? 'setting' : 'executable';
}

/** Writes the mode where the hook is declared, and changes nothing else. `enforce` is written as no mode. */
export function writeMode(hook: HookDefinition, mode: Mode): void {
  const value = mode === 'shadow' ? 'shadow' : undefined;
  if (declarationOf(hook) === 'artifact') return writeArtifact(hook.source, value);
  const file = { scope: hook.scope, path: hook.source };
  const before = readSettings(file);
  const position = settingPosition(before.values, hook.name);
  const text = before.text === null || position === undefined ? undefined : withSettingMode(before.text, position, value);
  if (text === undefined) throw byHand(hook.source, mode);
  saveSettings(file, before, text);
}

function writeArtifact(path: string, value: 'shadow' | undefined): void {
  const before = readConfig(path);
  const text = before.text === null ? undefined : withMode(before.text, value);
  if (text === undefined) throw byHand(path, value ?? 'enforce');
  writeConfig(path, text, before.bytes, { file: 0o644, directory: 0o755 });
}

const byHand = (path: string, mode: Mode): Failure =>
  new Failure('cannot change the mode without changing more of the file', {
    where: path,
    remedy: mode === 'shadow' ? 'add `mode: shadow` by hand' : 'remove `mode: shadow` by hand',
  });
