import { trustedPath } from '@piton/contracts/programs';

/**
 * The second lock: where a command of git reads the repository's own configuration, nothing in it names these. The first is that almost
 * none does, see `git-directory.ts`.
 */
export const SETTINGS: readonly string[] = [
  'core.hooksPath=/dev/null',
  // From 2.54 on hooks also stand in the configuration; these are the events that plumbing fires.
  'hook.reference-transaction.enabled=false',
  'hook.post-index-change.enabled=false',
  'core.fsmonitor=false',
  'gc.auto=0',
  'maintenance.auto=false',
  'protocol.allow=never',
  'core.quotePath=false',
];

export const SETTING_ARGUMENTS: readonly string[] = SETTINGS.flatMap((setting) => ['-c', setting]);

const FIXED = {
  GIT_OPTIONAL_LOCKS: '0',
  GIT_TERMINAL_PROMPT: '0',
  GIT_ASKPASS: 'true',
  GIT_NO_LAZY_FETCH: '1',
  GIT_LITERAL_PATHSPECS: '1',
  GIT_NO_REPLACE_OBJECTS: '1',
  GIT_PAGER: 'cat',
  LC_ALL: 'C',
};

/** Neither the system's configuration nor the person's. */
export const NO_OUTER_CONFIGURATION = { GIT_CONFIG_NOSYSTEM: '1', GIT_CONFIG_SYSTEM: '/dev/null', GIT_CONFIG_GLOBAL: '/dev/null' };

export type Environment = Readonly<Record<string, string | undefined>>;

/** Which files are the person's configuration is theirs to say; no git operation sets these. */
const CONFIG_FILES = new Set(['GIT_CONFIG_NOSYSTEM', 'GIT_CONFIG_SYSTEM', 'GIT_CONFIG_GLOBAL']);

/** The caller's environment without its `GIT_*` variables, since a git hook gets those of the operation that runs it. */
export function scrubbedEnvironment(environment: Environment): Record<string, string> {
  const kept: Record<string, string> = {};
  for (const [name, value] of Object.entries(environment)) {
    if (value === undefined || name === 'SSH_ASKPASS' || (name.startsWith('GIT_') && !CONFIG_FILES.has(name))) continue;
    kept[name] = value;
  }
  return { ...kept, PATH: trustedPath(kept['PATH'] ?? ''), ...FIXED };
}
