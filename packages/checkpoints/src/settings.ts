export const STRATEGIES = ['manual-commit', 'auto-commit'] as const;
export type Strategy = (typeof STRATEGIES)[number];

/** Which commits get a line that names their checkpoint. */
export const TRAILERS = ['agent-work', 'always', 'ask', 'never'] as const;
export type Trailer = (typeof TRAILERS)[number];

export interface CheckpointSettings {
  readonly strategy: Strategy;
  readonly trailer: Trailer;
  /** Who makes the commits of `auto-commit`. */
  readonly identity: Identity;
}

export interface Identity {
  readonly name: string;
  readonly email: string;
}

export const DEFAULT_SETTINGS: CheckpointSettings = {
  strategy: 'manual-commit',
  trailer: 'agent-work',
  identity: { name: 'Piton', email: 'piton@localhost' },
};

export interface SettingsLayer {
  readonly value: unknown;
  /** It came with the repository, so that somebody else may have written it. */
  readonly ofRepository: boolean;
}

/** Of several settings, the weakest first. What cannot be read has no effect: checkpoints go on as they were. */
export function readCheckpointSettings(layers: readonly SettingsLayer[]): CheckpointSettings {
  return layers.reduce<CheckpointSettings>((before, { value, ofRepository }) => {
    if (typeof value !== 'object' || value === null) return before;
    const { strategy, trailer, identity } = value as Readonly<Record<string, unknown>>;
    return {
      strategy: STRATEGIES.find((known) => known === strategy && !(ofRepository && commits(known))) ?? before.strategy,
      trailer: TRAILERS.find((known) => known === trailer) ?? before.trailer,
      identity: (!ofRepository && typeof identity === 'string' && identityOf(identity)) || before.identity,
    };
  }, DEFAULT_SETTINGS);
}

/** No hook of the person's runs for such a commit: only they may switch it on. */
const commits = (strategy: Strategy): boolean => strategy === 'auto-commit';

/** `Name <mail>`, in nothing but what git takes for it. */
export function identityOf(text: string): Identity | null {
  const [, name, email] = /^([^<>\p{Cc}]*[^<>\s\p{Cc}]) *<([^<>\s\p{Cc}]+)>$/u.exec(text.trim()) ?? [];
  return name && email ? { name, email } : null;
}
