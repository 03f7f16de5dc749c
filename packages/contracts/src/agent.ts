import type { CanonicalEvent } from './canonical.ts';
import type { CapabilityTable, Delivery } from './capability.ts';
import type { Reduced } from './decision.ts';
import type { EventName } from './events.ts';
import type { Registration } from './registration.ts';

/** What an agent reads from its hook: nothing more than this reaches it. */
export interface NativeAnswer {
  readonly stdout: string;
  readonly stderr: string;
  readonly exitCode: number;
}

export const SILENCE: NativeAnswer = { stdout: '', stderr: '', exitCode: 0 };

export interface NativeEvent {
  readonly name: string;
  readonly event: EventName;
  /** The native timeout that `init` writes. */
  readonly timeoutMs: number;
  /** The quirk that makes it too costly to register unasked. */
  readonly costly?: string;
}

/** A fact about an agent that surprised somebody, as data. */
export interface Quirk {
  readonly id: string;
  readonly behaviour: string;
  readonly versions: string;
  readonly answer: string;
  /** A file in the agent's `fixtures/`, or the name of the test that shows it. */
  readonly fixture: string;
}

/** Where and how a native event was heard, for the decoder. */
export interface Hearing {
  readonly nativeEvent: string;
  readonly cwd: string;
  readonly variables: Readonly<Record<string, string>>;
}

export interface EncodeContext {
  /** Can a person answer a question now? Unknown is no. */
  readonly attended: boolean;
}

export interface Encoded {
  readonly answer: NativeAnswer;
  readonly delivered: readonly Delivery[];
  /** Context that this event cannot carry; the server hands it over at the next one that can. */
  readonly deferred?: string;
}

export interface ConfigEdit {
  /** The whole new text of the file, or null when nothing remains of it. */
  readonly text: string | null;
  readonly added: readonly Registration[];
  readonly removed: readonly Registration[];
}
export type ConfigResult = { readonly ok: true; readonly edit: ConfigEdit } | { readonly ok: false; readonly error: string };

export interface InstallTarget {
  readonly scope: 'user' | 'project';
  /** Absolute path of the forwarder through `runtime/current`. */
  readonly forwarder: string;
  /** The same, as the text after `$HOME/`, or null if it lies elsewhere. */
  readonly forwarderBelowHome: string | null;
  /** Costly native events that a hook of the user's needs nevertheless. */
  readonly wanted: readonly string[];
}

export interface Installer {
  /** The file, relative to the user's home (user scope) or to the repository (project scope). */
  configFile(scope: 'user' | 'project', env: Readonly<Record<string, string | undefined>>): ConfigFile;
  install(text: string | null, target: InstallTarget): ConfigResult;
  uninstall(text: string, target: InstallTarget): ConfigResult;
  /** Our registrations that stand in the text, with the exact argv or shell line of each. */
  installed(text: string, target: InstallTarget): readonly Installed[];
}
export interface ConfigFile {
  /** Absolute if the agent's own variable moved it, else relative to home or repository. */
  readonly path: string;
  readonly label: string;
}
export interface Installed {
  readonly registration: Registration;
  readonly command: { readonly argv: readonly string[] } | { readonly shell: string };
}

/** What a transcript says, line by line, whatever the agent's format. */
export type TranscriptEntry = { readonly at: string | null; readonly id: string | null } & (
  | { readonly kind: 'prompt'; readonly text: string }
  | { readonly kind: 'answer'; readonly text: string; readonly model: string | null }
  | { readonly kind: 'tool-call'; readonly name: string; readonly useId: string; readonly input: unknown }
  | { readonly kind: 'tool-result'; readonly useId: string; readonly failed: boolean }
  | {
      readonly kind: 'usage';
      readonly model: string | null;
      readonly input: number;
      readonly output: number;
      readonly cacheRead: number;
      readonly cacheWrite: number;
    }
  | { readonly kind: 'unknown'; readonly type: string }
);

export interface TranscriptFormat {
  readonly name: string;
  /** Reads whole lines from `text`; `consumed` is where to go on with what is appended later. */
  read(text: string): { readonly entries: readonly TranscriptEntry[]; readonly consumed: number };
}

/** Everything Piton knows about one agent. Its folder is the only place where native names stand. */
export interface Agent {
  readonly id: string;
  readonly title: string;
  readonly aliases: readonly string[];
  readonly vendorPage: string;
  /** Seen with this version by the real runs. */
  readonly provenVersion: string | null;
  readonly events: readonly NativeEvent[];
  readonly variables: readonly string[];
  readonly capabilities: CapabilityTable;
  readonly quirks: readonly Quirk[];
  readonly installer: Installer;
  readonly transcript: TranscriptFormat | null;
  /** Variables that hold the agent's credentials: scrubbed for project hooks. */
  readonly secrets: readonly string[];
  /** `payload` is parsed JSON, or null where it was none. Never throws. */
  decode(payload: unknown, hearing: Hearing): CanonicalEvent;
  encode(event: CanonicalEvent, decision: Reduced, context: EncodeContext): Encoded;
  /** The answer that changes nothing. */
  noop(nativeEvent: string): NativeAnswer;
  attended(variables: Readonly<Record<string, string>>, terminal: boolean): boolean;
  /** How a person takes up a session of this agent again, as argv. */
  resume(sessionId: string): readonly string[];
}
