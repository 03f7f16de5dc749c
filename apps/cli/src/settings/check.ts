import type { Scope } from '@piton/contracts';
import { settingsSchema } from '@piton/contracts/schemas';
import { readOwnRules } from '@piton/redact';
import { unknownKeys, unknownKeyText } from './catalog.ts';

export interface SettingsProblem {
  readonly key: string;
  readonly what: string;
  /** unknown: a newer Piton may know it, so a file that has it is read. */
  readonly kind: 'unknown' | 'invalid';
}

/** Loads zod: call it through `import()`. */
export function checkSettings(values: Readonly<Record<string, unknown>>, scope: Scope): SettingsProblem[] {
  const unknown = unknownKeys(values).map((key): SettingsProblem => ({ key, kind: 'unknown', what: unknownKeyText(key) }));
  const parsed = settingsSchema.safeParse(values);
  const invalid = parsed.success
    ? []
    : parsed.error.issues.map(
        (issue): SettingsProblem => ({
          key: issue.path.join('.'),
          kind: 'invalid',
          what: `${issue.path.join('.') || 'settings'}: ${issue.message}`,
        }),
      );
  return [...invalid, ...wrongScope(values, scope), ...unsafePatterns(values.redact, scope, invalid), ...unknown];
}

const ONLY_USER: Readonly<Record<string, string>> = {
  guard: 'a repository must not weaken it',
  redact: 'a repository must not weaken it',
  mcp: 'a repository must not open the others',
  post_commit_wait: 'a repository must not make git slow',
  prices: 'they are what you pay',
  context_template: 'a repository must not put words into your sessions',
  handoff_minutes: 'it is yours to choose',
};

function wrongScope(values: Readonly<Record<string, unknown>>, scope: Scope): SettingsProblem[] {
  if (scope === 'user') return [];
  const here = Object.entries(ONLY_USER).filter(([key]) => values[key] !== undefined);
  const only = here.map(
    ([key, why]): SettingsProblem => ({ key, kind: 'invalid', what: `${key} only works in the user settings: ${why}` }),
  );
  return scope === 'project' ? [...only, ...projectCommitSettings(values.checkpoints)] : only;
}

/** Only the person who works here may have commits made, and choose their author. */
function projectCommitSettings(checkpoints: unknown): SettingsProblem[] {
  const { strategy, identity } = (checkpoints ?? {}) as Readonly<Record<string, unknown>>;
  const here = [
    ...(strategy === 'auto-commit' ? ['checkpoints.strategy'] : []),
    ...(identity === undefined ? [] : ['checkpoints.identity']),
  ];
  const why = 'a repository must not create commits that bypass your hooks';
  return here.map((key) => ({
    key,
    kind: 'invalid',
    what: `${key} does not work in the project settings (${why}): use --scope local or user`,
  }));
}

/** A schema cannot check that a pattern takes too long. */
function unsafePatterns(redact: unknown, scope: Scope, known: readonly SettingsProblem[]): SettingsProblem[] {
  if (redact === undefined || scope !== 'user') return [];
  if (known.some(({ key }) => key === 'redact' || key.startsWith('redact.'))) return [];
  return readOwnRules(redact).problems.map((what): SettingsProblem => ({ key: 'redact', kind: 'invalid', what }));
}
