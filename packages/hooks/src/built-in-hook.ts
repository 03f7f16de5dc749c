import type { CanonicalEvent, Decision, EventName } from '@piton/contracts';
import type { HookDefinition } from './definition.ts';

/** What makes one built-in hook differ from another. */
export interface BuiltInHook {
  readonly id: string;
  readonly name: string;
  readonly description: string;
  readonly event: EventName;
  /** The file with the setting that switches it. */
  readonly source: string;
  readonly enabled?: boolean;
  readonly answer: (event: CanonicalEvent) => Decision | undefined;
  /** Why it answered that, for the trace. */
  readonly note?: (event: CanonicalEvent) => string | undefined;
}

/** A part of Piton as a hook of the engine: it starts nothing, belongs to no project, and needs nobody's trust. */
export const builtInHook = ({ answer, note, enabled = true, ...about }: BuiltInHook): HookDefinition => ({
  ...about,
  scope: 'user',
  argv: [],
  builtIn: answer,
  ...(note && { builtInNote: note }),
  env: {},
  matcher: '',
  timeoutMs: 0,
  enabled,
  observe: false,
  failClosed: false,
  injectOutput: undefined,
  may: [],
  root: null,
  status: { kind: 'ready' },
});
