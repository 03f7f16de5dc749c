import { join } from 'node:path';
import type { Scope } from '@piton/contracts';
import { homeDirectories } from '@piton/contracts/places';
import { type ParseError, parse, parseTree } from 'jsonc-parser';
import type { Context } from '../context.ts';
import { Failure } from '../failure.ts';
import { readConfig } from '../install/config-file.ts';
import { repositoryRoot } from '../repository.ts';
import { parseProblem } from './parse-problem.ts';

export const SCOPES = ['user', 'project', 'local'] as const satisfies readonly Scope[];

export interface SettingsFile {
  readonly scope: Scope;
  readonly path: string;
}

/** The settings files that apply here, whether they exist or not. */
export function settingsFiles(context: Context): SettingsFile[] {
  const directories = homeDirectories(context.env);
  if ('error' in directories) throw new Failure(directories.error);
  const root = repositoryRoot(context);
  return [
    { scope: 'user', path: join(directories.config, 'settings.json') },
    ...(root
      ? [
          { scope: 'project' as const, path: join(root, '.piton', 'settings.json') },
          { scope: 'local' as const, path: join(root, '.piton', 'settings.local.json') },
        ]
      : []),
  ];
}

export function settingsFile(context: Context, scope: Scope): SettingsFile {
  const file = settingsFiles(context).find((each) => each.scope === scope);
  if (file) return file;
  throw new Failure(`${scope} settings need a git repository`, {
    where: context.cwd,
    remedy: 'run it in a git repository, or use --scope user',
  });
}

export interface SettingsContent {
  readonly text: string | null;
  readonly bytes: Buffer | null;
  readonly values: Readonly<Record<string, unknown>>;
}

export function readSettings(file: SettingsFile): SettingsContent {
  const { text, bytes } = readConfig(file.path);
  if (text === null || text.trim() === '') return { text, bytes, values: {} };
  const errors: ParseError[] = [];
  let value: unknown;
  try {
    value = parse(text, errors, { allowTrailingComma: true });
  } catch {
    throw new Failure('the settings are nested too deeply', { where: file.path, remedy: 'reduce the nesting' });
  }
  const [first] = errors;
  if (first)
    throw new Failure(`the settings are not valid JSON: ${parseProblem(text, first)}`, {
      where: `${file.path}:${text.slice(0, first.offset).split('\n').length}`,
      remedy: 'fix that line. Comments and trailing commas are fine',
    });
  if (typeof value !== 'object' || value === null || Array.isArray(value) || !parseTree(text)) {
    throw new Failure('the settings are not a JSON object', { where: file.path, remedy: 'start with {}' });
  }
  return { text, bytes, values: value as Record<string, unknown> };
}
