import { readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { CONTEXT_MODES, type ContextMode } from '@piton/context';

type Parse = (text: string) => { readonly value: unknown; readonly errors: readonly string[] };

export interface ContextSettings {
  readonly mode: ContextMode;
  /** Where the mode was set. */
  readonly from: 'default' | 'user' | 'project' | 'local';
  /** Only the person's own: a repository must not put words into a session. */
  readonly template?: string;
}

const MOST_BYTES = 1_000_000;

/** The nearest file that says it wins. Read when a session starts, which is rare. */
export function readContextSettings(config: string, root: string, parse: Parse): ContextSettings {
  const user = read(join(config, 'settings.json'), parse);
  const layers = [
    ['user', user],
    ['project', read(join(root, '.piton/settings.json'), parse)],
    ['local', read(join(root, '.piton/settings.local.json'), parse)],
  ] as const;
  const set = layers.findLast(([, { context }]) => isMode(context));
  const { context_template: template } = user;
  return {
    mode: set === undefined || !isMode(set[1].context) ? 'short' : set[1].context,
    from: set?.[0] ?? 'default',
    ...(typeof template === 'string' && template.trim() !== '' && { template }),
  };
}

const isMode = (value: unknown): value is ContextMode => CONTEXT_MODES.some((mode) => mode === value);

/** How long after one handoff of a session the next may be recorded, in minutes. */
export function handoffMinutes(config: string, parse: Parse): number {
  const { handoff_minutes: minutes } = read(join(config, 'settings.json'), parse);
  return typeof minutes === 'number' && minutes >= 0 && minutes <= 1440 ? minutes : 3;
}

function read(path: string, parse: Parse): Readonly<Record<string, unknown>> {
  try {
    const stat = statSync(path);
    if (!stat.isFile() || stat.size > MOST_BYTES) return {};
    const { value, errors } = parse(readFileSync(path, 'utf8'));
    return errors.length === 0 && typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : {};
  } catch {
    return {};
  }
}
