import type { Decision, EventName, JsonObject } from '@piton/contracts';
import type { When } from '../when.ts';

/** The seven events that every loop has. Other names of `EVENTS` may be used as well. */
export const Event = {
  SessionStart: 'session_start',
  PrePrompt: 'pre_prompt',
  PostResponse: 'post_response',
  PreToolUse: 'pre_tool_use',
  PostToolUse: 'post_tool_use',
  ContextCompact: 'context_compact',
  SessionEnd: 'session_end',
} as const;
/** A point in the life of a session. `pre_prompt` is `user_prompt_submit`, `post_response` is `stop`, `context_compact` is `pre_compact`. */
export type Event = EventName | 'pre_prompt' | 'post_response' | 'context_compact';

/** Variables for a hook's command. They reach it as environment, never as text of the command. */
export type Env = Readonly<Record<string, string>>;

/** The JSON object that a hook reads, in the names and shapes of Claude Code. */
export interface HookPayload {
  readonly session_id: string;
  readonly cwd: string;
  readonly hook_event_name: string;
  readonly tool_name?: string;
  readonly tool_input?: JsonObject;
  readonly tool_response?: unknown;
  readonly prompt?: string;
  readonly source?: string;
  readonly [field: string]: unknown;
}

export interface HookCall {
  /** Aborted when its time is up, or the caller's signal is. */
  readonly signal: AbortSignal;
  /** What a command would find in its environment. */
  readonly env: Env;
}

// A decision of ours with a slip in it is none.
type JsonAnswer = JsonObject & { readonly decision?: 'approve' | 'block' };
/** Nothing; text, which is what a command would print; a decision; or an answer as Claude Code takes it. */
export type HookAnswer = Decision | JsonAnswer | string | undefined | null;
export type HookFunction = (payload: HookPayload, call: HookCall) => HookAnswer | Promise<HookAnswer>;

interface HookFields {
  /** By which results and trace name it. */
  readonly name: string;
  readonly event: Event;
  /** On tool events: a tool's name, a glob, `A|B` or `/a regular expression/`. Empty or missing: every tool. */
  readonly matcher?: string;
  /** More conditions, all of which must hold. */
  readonly when?: When;
  /** Milliseconds. 0 or missing: 30 seconds. */
  readonly timeout?: number;
  /** `true`: plain text that it prints is for the model, on any event; `false`: on none; missing: at session start and prompt. */
  readonly injectOutput?: boolean;
  /** Missing: true. */
  readonly enabled?: boolean;
  /** `shadow`: it runs, it is in the trace, and what it says does not count. */
  readonly mode?: 'enforce' | 'shadow';
  /** It only watches: it runs after the decision. */
  readonly observe?: boolean;
  /** Those that only watch and share a group run at the same time. */
  readonly group?: string;
  /** A policy: where it fails, the answer is deny. */
  readonly failClosed?: boolean;
}

/** A shell command, run by `/bin/sh -c` with the payload on its stdin. */
export interface CommandHook extends HookFields {
  readonly command: string;
  readonly run?: undefined;
  readonly module?: undefined;
}
/** A function of the same process. */
export interface FunctionHook extends HookFields {
  readonly run: HookFunction;
  readonly command?: undefined;
  readonly module?: undefined;
}
/** A JavaScript file whose default export is a function, run in a warm process of its own. */
export interface ModuleHook extends HookFields {
  readonly module: string;
  readonly command?: undefined;
  readonly run?: undefined;
}
/** No kind of hook calls a model, on purpose: what a guard says must not depend on one. */
export type Hook = CommandHook | FunctionHook | ModuleHook;

/** How one hook went. */
export interface HookResult {
  readonly name: string;
  readonly stdout: string;
  readonly stderr: string;
  /** -1 where it was stopped. */
  readonly exitCode: number;
  /** Milliseconds. */
  readonly duration: number;
  readonly timedOut: boolean;
  /** Output was cut. */
  readonly truncated?: boolean;
  /** What that means: `observe` where it said nothing, or nothing that can be read. */
  readonly said: Decision;
}
