import type { EventName, Scope } from '@piton/contracts';
import type { When } from './when.ts';

/** What a project's hook may do only after its own yes. */
export type Permission = 'allow' | 'modify';
export const PERMISSIONS: readonly Permission[] = ['allow', 'modify'];

export type HookStatus =
  | { readonly kind: 'ready' }
  /** `changed`: the trusted copy still runs, its source differs. */
  | { readonly kind: 'not-trusted' | 'not-executable' | 'broken' | 'changed'; readonly note: string };

/** Something of the user's that runs on an event, however it was declared. */
export interface HookDefinition {
  /** Stable, e.g. `user:pre-tool-use/10-guard` or `project:settings/no-rm`. */
  readonly id: string;
  readonly name: string;
  readonly scope: Scope;
  /** The name under which it is registered: the generic one, or that of a kind. */
  readonly event: EventName;
  /** The file that a person opens to change it. */
  readonly source: string;
  /** Empty for a module. */
  readonly argv: readonly string[];
  /** A JavaScript module that runs in a warm host instead of a command. */
  readonly module?: string;
  readonly env: Readonly<Record<string, string>>;
  /** Empty matches every tool. */
  readonly matcher: string;
  readonly when?: When;
  readonly timeoutMs: number;
  readonly enabled: boolean;
  /** It only watches, and runs after the answer. */
  readonly observe: boolean;
  /** Hooks that only watch and share a group run at the same time. */
  readonly group?: string;
  /** A policy: if it cannot answer, the answer is deny. */
  readonly failClosed: boolean;
  /** Is plain text on stdout context for the model? Undefined: as in Claude Code. */
  readonly injectOutput: boolean | undefined;
  readonly may: readonly Permission[];
  /** The project directory, for project and local scope. */
  readonly root: string | null;
  readonly status: HookStatus;
}

export const DEFAULT_TIMEOUT_MS = 30_000;
