import driven from './driven.json' with { type: 'json' };

/** What driving other versions than the proven ones has shown. `npm run test:agents -- --versions --write` and `--newest --write` write it. */
export interface DrivenVersions {
  readonly older: readonly DrivenVersion[];
  readonly newest: readonly (
    | DrivenVersion
    | { readonly agent: string; readonly version: string; readonly pinned?: true; readonly installs?: false }
  )[];
}
export interface DrivenVersion {
  readonly agent: string;
  readonly version: string;
  readonly registrations: number;
  /** The model read why. */
  readonly told: boolean;
  readonly heard: readonly string[];
}

export const DRIVEN = driven as DrivenVersions;
