import claude from './claude.json' with { type: 'json' };

/** A short session in an agent's own payloads. `$REPO` and `$HOME` stand for the demo's directories. */
export interface DemoSession {
  readonly agent: string;
  readonly recordedWith: string;
  readonly steps: readonly { readonly event: string; readonly payload: unknown }[];
}

export const DEMO_SESSIONS: readonly DemoSession[] = [claude];
