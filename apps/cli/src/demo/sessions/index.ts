import claude from './claude.json' with { type: 'json' };

/**
 * A short session that the real agent had, recorded: `PITON_RECORD=1 npx vitest run scenarios/real-demo` writes the files beside
 * this one. `$REPO` and `$HOME` stand for the demo's directories. An agent more is a driver there and a line here.
 */
export interface DemoSession {
  readonly agent: string;
  readonly recordedWith: string;
  readonly steps: readonly { readonly event: string; readonly payload: unknown }[];
}

export const DEMO_SESSIONS: readonly DemoSession[] = [claude];
