export const SANDBOX_PROFILES = ['none', 'read-only', 'no-network', 'strict'] as const;
export type SandboxProfile = (typeof SANDBOX_PROFILES)[number];

/** What a confined program may still see, and where it stands. */
export interface Confinement {
  readonly profile: SandboxProfile;
  readonly cwd: string;
  readonly home: string;
  /** The project, the folder of the hook, and what else must be seen of a place that is hidden. Only those that exist. */
  readonly shown: readonly string[];
  /** HOME may be read though the profile hides it: a backtest holds every hook to `strict` and lets it read what it always could. */
  readonly mayShowHome?: boolean;
}

export const writesNothing = (profile: SandboxProfile): boolean => profile === 'read-only' || profile === 'strict';
export const hasNoNetwork = (profile: SandboxProfile): boolean => profile === 'no-network' || profile === 'strict';
export const hidesHome = (profile: SandboxProfile): boolean => profile === 'strict';

export const isBelow = (path: string, directory: string): boolean =>
  path === directory || path.startsWith(directory.endsWith('/') ? directory : `${directory}/`);
