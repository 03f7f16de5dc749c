/** No hooks, no prompts, no network, no maintenance, no daemons: whatever the user has configured, we only read and write objects. */
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

type Environment = Readonly<Record<string, string | undefined>>;

export interface GitPlace {
  readonly program?: string;
  /** The caller's environment; its `GIT_*` variables are left out, since a git hook gets those of the operation that runs it. */
  readonly environment: Environment;
  readonly timeoutMs?: number;
}

export const TIMEOUT_MS = 120_000;

/** Which files are the person's configuration is theirs to say; no git operation sets these. */
const CONFIG_FILES = new Set(['GIT_CONFIG_NOSYSTEM', 'GIT_CONFIG_SYSTEM', 'GIT_CONFIG_GLOBAL']);

function scrubbed(environment: Environment): Record<string, string> {
  const kept: Record<string, string> = {};
  for (const [name, value] of Object.entries(environment)) {
    if (value === undefined || name === 'SSH_ASKPASS' || (name.startsWith('GIT_') && !CONFIG_FILES.has(name))) continue;
    kept[name] = value;
  }
  return { ...kept, ...FIXED };
}

const SETTING_ARGUMENTS = SETTINGS.flatMap((setting) => ['-c', setting]);

interface ClosedGit {
  readonly program: string;
  argv(args: readonly string[]): string[];
  environmentWith(more: Readonly<Record<string, string>> | undefined): Record<string, string>;
}

/** What every start of git shares, awaited or not. */
export function closedGit({ program = 'git', environment }: GitPlace): ClosedGit {
  const base = scrubbed(environment);
  return {
    program,
    argv: (args) => [...SETTING_ARGUMENTS, ...args],
    environmentWith: (more) => ({ ...base, ...more }),
  };
}
