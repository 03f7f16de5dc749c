import {
  type CanonicalEvent,
  DECISIONS,
  type Decision,
  type DecisionName,
  type EventName,
  type PitonEventName,
  ruleOf,
  type Scope,
} from '@piton/contracts';
import type { SandboxProfile } from './sandbox/profile.ts';
import type { When } from './when.ts';

/** What a project's hook may do only after its own yes. */
export type Permission = {
  [Name in DecisionName]: (typeof DECISIONS)[Name] extends { readonly needsPermission: true } ? Name : never;
}[DecisionName];
export const isPermission = (name: DecisionName): name is Permission => ruleOf(name).needsPermission === true;
export const PERMISSIONS: readonly Permission[] = (Object.keys(DECISIONS) as DecisionName[]).filter(isPermission);

export type HookStatus =
  | { readonly kind: 'ready' }
  /** `changed`: the trusted copy still runs, its source differs. */
  | { readonly kind: 'not-trusted' | 'not-executable' | 'broken' | 'changed'; readonly note: string };

/** What something of the user's may run on: an event of an agent's, or one of Piton's own. */
export type HookEvent = EventName | PitonEventName;

/** Something of the user's that runs on an event, however it was declared. */
export interface HookDefinition<Name extends HookEvent = EventName> {
  /** Stable, e.g. `user:pre-tool-use/10-guard` or `project:settings/no-rm`. */
  readonly id: string;
  readonly name: string;
  readonly scope: Scope;
  /** The name under which it is registered: the generic one, or that of a kind. */
  readonly event: Name;
  /** The file that a person opens to change it. */
  readonly source: string;
  /** Empty for a module, and for what is built in. */
  readonly argv: readonly string[];
  /** A JavaScript module that runs in a warm host instead of a command. */
  readonly module?: string;
  /** It is part of Piton and answers where the engine runs; undefined where the event does not concern it. */
  readonly builtIn?: (event: CanonicalEvent) => Decision | undefined;
  /** Why it said that, for the trace. */
  readonly builtInNote?: (event: CanonicalEvent) => string | undefined;
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
  /** Left out: not confined. */
  readonly sandbox?: SandboxProfile;
  /** Where its own files lie: what a confined hook still sees. */
  readonly folder?: string;
  /** Agents, by id, in which it runs. Left out: in all. */
  readonly targets?: readonly string[];
  /** Programs without which it cannot run. */
  readonly requires?: readonly string[];
  /** It reads the agent's own payload, and its answer goes to the agent as it is. */
  readonly native?: boolean;
  readonly description?: string;
  readonly sensitivity?: Sensitivity;
  readonly tags?: readonly string[];
  /** It is on trial: it runs after the answer, and what it would have said is recorded. */
  readonly shadow?: boolean;
  /** The project directory, for project and local scope. */
  readonly root: string | null;
  readonly status: HookStatus;
}

/** A consumer of Piton's own events: declared, trusted and run like a hook, and it decides nothing. */
export type Subscription = HookDefinition<PitonEventName>;

export const SENSITIVITIES = ['low', 'medium', 'high'] as const;
export type Sensitivity = (typeof SENSITIVITIES)[number];

export const DEFAULT_TIMEOUT_MS = 30_000;
