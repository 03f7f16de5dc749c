/** One installed command line: who calls, for which native event, from which level of configuration. */
export interface Registration {
  readonly agent: string;
  readonly nativeEvent: string;
  readonly scope: 'user' | 'project';
  /** The native timeout that stands beside the command in the agent's configuration. */
  readonly timeoutMs: number;
  /** Variables of the agent's that its decoder wants to see. */
  readonly variables: readonly string[];
}

/** How it is written after the forwarder's path. It stays stable: Codex trusts a hook by the hash of its line. */
export function registrationArgs(registration: Registration): string[] {
  const { agent, nativeEvent, scope, timeoutMs, variables } = registration;
  return [agent, nativeEvent, scope, String(timeoutMs), variables.join(',') || '-'];
}

export function parseRegistrationArgs(args: readonly string[]): Registration | undefined {
  const [agent, nativeEvent, scope, timeout, variables] = args;
  if (!agent || !nativeEvent || (scope !== 'user' && scope !== 'project') || !timeout || variables === undefined) return undefined;
  const timeoutMs = Number(timeout);
  if (!Number.isSafeInteger(timeoutMs) || timeoutMs <= 0) return undefined;
  return { agent, nativeEvent, scope, timeoutMs, variables: variables === '-' ? [] : variables.split(',') };
}

/** How the store and the envelope's header name a registration. */
export const viaOf = (registration: Pick<Registration, 'agent' | 'nativeEvent'> & { readonly scope: string }): string =>
  `${registration.agent}:${registration.nativeEvent}:${registration.scope}`;

/** Git's own hooks call the forwarder too; which hook it was is the first argument behind these. */
export const GIT_HOOK: Registration = {
  ...{ agent: 'git', nativeEvent: 'hook', scope: 'project' },
  timeoutMs: 5000,
  variables: ['GIT_INDEX_FILE', 'GIT_AUTHOR_DATE'],
};

/** The hooks of git that `piton init` writes into. */
export const GIT_HOOKS = ['prepare-commit-msg', 'commit-msg', 'post-commit', 'post-rewrite', 'pre-push'] as const;
export type GitHook = (typeof GIT_HOOKS)[number];

/** By which a hook that we wrote into is known. */
export const GIT_HOOK_MARK = '# >>> piton >>>';
