import auggie from './auggie.json' with { type: 'json' };
import claude from './claude.json' with { type: 'json' };
import cline from './cline.json' with { type: 'json' };
import codex from './codex.json' with { type: 'json' };
import copilot from './copilot.json' with { type: 'json' };
import droid from './droid.json' with { type: 'json' };
import gemini from './gemini.json' with { type: 'json' };
import grok from './grok.json' with { type: 'json' };
import kilo from './kilo.json' with { type: 'json' };
import kimi from './kimi.json' with { type: 'json' };
import omp from './omp.json' with { type: 'json' };
import opencode from './opencode.json' with { type: 'json' };
import pi from './pi.json' with { type: 'json' };
import qwen from './qwen.json' with { type: 'json' };

/**
 * A short session with the real agent, recorded: `PITON_RECORD=1 npx vitest run scenarios/real-demo` writes the files beside this
 * one. `$REPO` and `$HOME` stand for the demo's directories. To add an agent, add a driver to the test bed and a line here.
 */
export interface DemoSession {
  readonly agent: string;
  readonly recordedWith: string;
  /** Sent by a plugin inside the agent, which also gets the answer. */
  readonly plugin?: boolean;
  readonly steps: readonly { readonly event: string; readonly payload: unknown }[];
}

/** The demo shows the first in full. */
export const DEMO_SESSIONS: readonly DemoSession[] = [
  claude,
  codex,
  gemini,
  qwen,
  opencode,
  kilo,
  copilot,
  droid,
  cline,
  pi,
  grok,
  kimi,
  omp,
  auggie,
];
