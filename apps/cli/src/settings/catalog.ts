import { DEFAULT_SETTINGS } from '@piton/checkpoints';
import type { Scope } from '@piton/contracts';
import { nearestName } from '@piton/hooks';
import { valueAt } from './edit.ts';

export interface Setting {
  readonly key: string;
  /** Undefined: nothing is set, and nothing stands in for it. */
  readonly byDefault?: unknown;
  readonly meaning: string;
  /** Each scope's value counts for that scope. Of other settings the nearest scope wins. */
  readonly eachScope?: true;
}

/** Every setting, in the order of the listing. A test holds the keys against the schema. */
export const CATALOG: readonly Setting[] = [
  { key: 'hooks_enabled', byDefault: true, meaning: 'Run the hooks of this scope', eachScope: true },
  { key: 'hooks', byDefault: [], meaning: 'Hooks, in the order they run', eachScope: true },
  { key: 'guard', byDefault: 'deny', meaning: "Piton's own files: deny, ask, off" },
  { key: 'context', byDefault: 'short', meaning: 'Told at start: short, full, off' },
  { key: 'context_template', byDefault: '{facts}', meaning: 'Your words around the facts' },
  { key: 'handoff_minutes', byDefault: 3, meaning: 'Minutes between two handoffs' },
  { key: 'post_commit_wait', byDefault: 2, meaning: 'Seconds git commit waits, 0 to 4' },
  { key: 'checkpoints.strategy', byDefault: DEFAULT_SETTINGS.strategy, meaning: 'manual-commit or auto-commit' },
  { key: 'checkpoints.trailer', byDefault: DEFAULT_SETTINGS.trailer, meaning: 'Which commits name a checkpoint' },
  { key: 'checkpoints.identity', byDefault: 'Piton <piton@localhost>', meaning: 'Author of automatic commits' },
  { key: 'prices', byDefault: {}, meaning: 'Dollars for a million tokens' },
  { key: 'mcp.repositories', byDefault: 'this', meaning: 'What piton mcp reads: this or all' },
  { key: 'redact.rules', byDefault: [], meaning: 'Your own patterns of secrets' },
  { key: 'redact.allow', byDefault: [], meaning: 'Texts that are no secrets' },
  { key: 'redact.personal', byDefault: [], meaning: 'Also replace email, phone, address' },
];

const KEYS = CATALOG.map(({ key }) => key);
/** `checkpoints` and `redact` can be set as a whole. */
const GROUPS = [...new Set(KEYS.filter((key) => key.includes('.')).map((key) => key.split('.')[0] as string))];

export const settingOf = (key: string): Setting | undefined => CATALOG.find((each) => each.key === key);

/** Whether this is a setting, a group of settings, or a place inside one. */
export const isKnownKey = (key: string): boolean => key === '$schema' || GROUPS.includes(key) || KEYS.some((known) => isWithin(key, known));

/** Keys in a settings file that are no settings of this version. */
export function unknownKeys(values: Readonly<Record<string, unknown>>): string[] {
  return Object.entries(values).flatMap(([key, value]) => {
    if (!GROUPS.includes(key) || typeof value !== 'object' || value === null || Array.isArray(value)) return isKnownKey(key) ? [] : [key];
    return Object.keys(value)
      .map((inner) => `${key}.${inner}`)
      .filter((inner) => !isKnownKey(inner));
  });
}

export const unknownKeyText = (key: string): string => {
  const meant = nearestName(key, [...KEYS, ...GROUPS]);
  return `${key} is not a setting of this version${meant ? `; did you mean ${meant}?` : ''}`;
};

export interface SettingInForce extends Setting {
  readonly value: unknown;
  readonly source: Scope | 'default';
}

/** One settings file that was read. `ignored` are the keys that do not count there. */
export interface ReadSettings {
  readonly scope: Scope;
  readonly values: Readonly<Record<string, unknown>>;
  readonly ignored: readonly string[];
}

/** The value of each setting and where it comes from. `files` go from the user's to the nearest. */
export function inForce(files: readonly ReadSettings[]): SettingInForce[] {
  return CATALOG.flatMap((setting): SettingInForce[] => {
    const set = files.flatMap(({ scope, values, ignored }) => {
      const value = ignored.some((key) => isWithin(key, setting.key) || isWithin(setting.key, key))
        ? undefined
        : valueAt(values, setting.key);
      return value === undefined ? [] : [{ ...setting, value, source: scope }];
    });
    if (set.length === 0) return [{ ...setting, value: setting.byDefault, source: 'default' }];
    return setting.eachScope ? set : set.slice(-1);
  });
}

const isWithin = (key: string, group: string): boolean => key === group || key.startsWith(`${group}.`);
