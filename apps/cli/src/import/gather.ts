import { readdirSync } from 'node:fs';
import { isAbsolute, join } from 'node:path';
import type { Agent, ImportFile, NativeHook, NativePlugin, NotImported } from '@piton/contracts';
import type { Context } from '../context.ts';
import { readConfig } from '../install/config-file.ts';

/** A file of an agent's configuration that contains hooks of the user. */
export interface GatheredFile {
  readonly agent: Agent;
  readonly path: string;
  readonly label: string;
  readonly hooks: readonly NativeHook[];
  readonly left: readonly NotImported[];
  /** The plugin that it belongs to. */
  readonly plugin?: NativePlugin;
  /** In a project: one person's own. */
  readonly personal?: true;
  /** Why it could not be read. */
  readonly error?: string;
}

/** The hooks in an agent's configuration files. `base` is the user's home or the project. */
export function gather(context: Context, agent: Agent, scope: 'user' | 'project', base: string): GatheredFile[] {
  const { importer } = agent;
  if (importer === undefined) return [];
  return importer.files(scope, context.env).flatMap((file) =>
    filesAt(file, base).flatMap(({ path, label }): GatheredFile[] => {
      const { text } = readConfig(path);
      if (text === null) return [];
      const result = importer.read(text, { ...file, path });
      const found = { agent, path, label, ...(file.personal && { personal: true as const }) };
      if (!result.ok) return [{ ...found, hooks: [], left: [], error: result.error }];
      return result.hooks.length + result.left.length === 0 ? [] : [{ ...found, hooks: result.hooks, left: result.left }];
    }),
  );
}

function filesAt({ path, label, ending }: ImportFile, base: string): { path: string; label: string }[] {
  const full = isAbsolute(path) ? path : join(base, path);
  if (ending === undefined) return [{ path: full, label }];
  try {
    const names = readdirSync(full).filter((name) => name.endsWith(ending));
    return names.sort().map((name) => ({ path: join(full, name), label: `${label}/${name}` }));
  } catch {
    return [];
  }
}
