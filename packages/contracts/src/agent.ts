import type { CanonicalEvent } from './canonical.ts';
import type { CapabilityTable, Delivery } from './capability.ts';
import type { Reduced } from './decision.ts';
import type { EventName, ToolKind } from './events.ts';
import type { Importer } from './importer.ts';
import type { Materializer } from './materialize.ts';
import type { ContextLimits } from './text/context-limit.ts';
import type { TokenCounts } from './usage/tokens.ts';
import type { Registration } from './wire/registration.ts';

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
  /** The first version that knows it, where an older one does not only ignore the name. */
  readonly since?: string;
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

/** What is known of a native event besides its payload: the registration's event, where it ran, the variables it names. */
export interface NativeContext {
  readonly nativeEvent: string;
  readonly cwd: string;
  readonly variables: Readonly<Record<string, string>>;
}

/** By which an agent's payloads are told from those of others that run its configuration. */
export interface PayloadShape {
  /** Exit code 2 refuses what is about to happen, with the reason on stderr. Who runs this agent's hooks may know no other way. */
  readonly refusesByCode?: true;
  /** Every payload of its own has one of these. */
  readonly head: readonly string[];
  /** Those in which a payload names its event. */
  readonly eventFields?: readonly string[];
  /** All fields that it was recorded with or documents. */
  readonly fields: readonly string[];
  /** A field that nobody else has. */
  readonly mark?: string;
  /** Where its transcripts lie. A payload that names one is its own, whatever else a next version may add. */
  readonly transcript?: RegExp;
}

/** The agent of a payload that came through the registration of another and fits nobody who is known to run that. */
export const UNKNOWN_AGENT = 'unknown';

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
  /** The agent's version that is installed. Where nothing tells it, the registrations are those of the proven one. */
  readonly version?: string;
}

type Environment = Readonly<Record<string, string | undefined>>;

/** Pure edits of an agent's configuration: a file's text in, its new text out. Most agents have one file, Cline one an event. */
export interface Installer {
  /** Why nothing can be registered for a repository, where the agent has hooks of its user alone. */
  readonly userOnly?: string;
  /** The files that are edited, the main one first. */
  configFiles(scope: 'user' | 'project', env: Environment): readonly [ConfigFile, ...ConfigFile[]];
  install(text: string | null, target: InstallTarget, file: ConfigFile): ConfigResult;
  uninstall(text: string, target: InstallTarget, file: ConfigFile): ConfigResult;
  /** Our registrations that stand in the text, with the exact argv or shell line of each. */
  installed(text: string, target: InstallTarget, file: ConfigFile): readonly Installed[];
  /** Where the whole file is ours: is the text ours, with something in it that we did not write? */
  isEdited?(text: string, target: InstallTarget): boolean;
  /** What a version makes of one of our registrations, where that is not what stands there; `all` stand in the same file. */
  asRun?(one: Installed, all: readonly Installed[], version: string): Installed['command'] | { readonly never: string };
}
/** Piton's own plugin, which only declares, as the agent keeps it once a person has taken it in by the agent's commands. */
export interface OwnPlugin {
  /** What it is called there. */
  readonly what: 'plugin' | 'extension';
  /** Its lists of what was taken in. Paths as those of the installer. */
  lists(env: Environment): readonly ConfigFile[];
  /** Folders that are it or hold its versions, from the texts of these lists. None where it is off. Paths as those of the lists. */
  folders(texts: readonly (string | null)[], env: Environment): readonly string[];
  /** What a person should know where its events come through it alone. */
  readonly note?: string;
}

export interface ConfigFile {
  /** Absolute if the agent's own variable moved it, else relative to the user's home (user scope) or the repository (project scope). */
  readonly path: string;
  readonly label: string;
  /** The agent runs the file itself. */
  readonly executable?: true;
}

/** How an agent starts Piton's MCP server. */
export interface McpServer {
  readonly command: string;
  readonly args: readonly string[];
}

/** Pure edits of the user's file in which an agent's MCP servers stand, by their names. Ours is called `piton`. */
export interface McpInstaller {
  configFile(env: Environment): ConfigFile;
  /** A server of that name that is not ours is refused. */
  install(text: string | null, server: McpServer): McpEdit;
  uninstall(text: string): McpEdit;
  /** Ours, as it stands in the text. */
  installed(text: string): McpServer | null;
  /** Every server in the text, anybody's: its name and definition as one text. None in a file that cannot be read. */
  definitions(text: string): readonly string[];
}
/** The whole new text, or null when nothing remains of the file. */
export type McpEdit = { readonly ok: true; readonly text: string | null } | { readonly ok: false; readonly error: string };

/** What stands between "installed" and "will run": an agent may want its folder or each hook trusted first. */
export interface Readiness {
  /** Its verdict may come with a question for the person, which `init` announces. */
  readonly asks?: true;
  /** Files that the verdict needs to read, besides those that are edited. At either scope `~/` is the user's home and `./` the repository. */
  files(scope: 'user' | 'project', env: Environment): readonly ConfigFile[];
  /** A command of the agent's own that knows more. The CLI runs it, bounded in time, and hands its output over. */
  probe?(place: ReadinessPlace): ReadinessProbe;
  judge(facts: ReadinessFacts): RunVerdict;
}
export interface ReadinessProbe {
  readonly argv: readonly string[];
  readonly stdin: string;
  /** Its stdin stays open until its output matches this: a server may leave at the end of its input without a word. */
  readonly until?: RegExp;
}
export interface ReadinessPlace {
  readonly scope: 'user' | 'project';
  readonly home: string;
  /** The repository, or the directory itself where there is none. */
  readonly project: string;
  readonly env: Environment;
}
export interface ReadinessFacts extends ReadinessPlace {
  /** By the `path` of each file asked for; null where there is none. */
  readonly texts: Readonly<Record<string, string | null>>;
  /** What the probe wrote, or null where it was not asked, failed or did not end. */
  readonly probed: string | null;
  readonly installed: readonly Installed[];
}
export type RunVerdict =
  | { readonly runs: true; readonly note?: string }
  | {
      readonly runs: false;
      readonly why: string;
      /** What a person can do, exactly. */
      readonly remedy: string;
      /** The same done by us, after a yes to this very question. */
      readonly consent?: { readonly question: string; readonly file: ConfigFile; edit(text: string | null): ConfigResult };
    };
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
  | ({ readonly kind: 'usage'; readonly model: string | null } & TokenCounts)
  | { readonly kind: 'unknown'; readonly type: string }
);

export interface TranscriptFormat {
  readonly name: string;
  /** It tells the tokens of a session in one sum. */
  readonly sums?: true;
  /** At a stop it has the last message of the turn, which the payload does not say, or not by itself. */
  readonly holdsLastMessage?: true;
  /** Where it lies if the payload does not say (relative to the user's home, or absolute), or null if that is not known. */
  locate?(session: { readonly sessionId: string; readonly cwd: string; readonly home: string; readonly env: Environment }): string | null;
  /** A file beside it that says more. */
  readonly beside?: { locate(path: string): string | null; readonly format: TranscriptFormat };
  /** Where it is no file: the command of the agent's own that prints it, as argv, for people. */
  print?(sessionId: string): readonly string[];
  /**
   * Where `locate` names an SQLite database of the agent's: the question that is put to it with the session's id. Its one
   * column, row by row, is what `assemble` makes the text for `read` of.
   */
  readonly database?: { readonly question: string; assemble(rows: readonly string[]): string };
  /**
   * Reads whole entries from `text`; `consumed` is where to go on with what is appended later. A format that is rewritten
   * as a whole says 0: it is read again, and its entries are known by `id`. Where earlier lines say something about later ones, as the
   * model of a turn, that is `memory`: what the last piece gave is handed to the next, also by another process.
   */
  read(
    text: string,
    memory?: string,
  ): { readonly entries: readonly TranscriptEntry[]; readonly consumed: number; readonly memory?: string };
}

/** How an agent is told to run without its hooks, or with other files than those that they stand in. */
export interface HookSwitches {
  /** What `npx` and its like call it. */
  readonly packages?: readonly string[];
  /** Patterns of an option, with its value behind a space or `=`. */
  readonly options?: readonly string[];
  readonly variables?: readonly string[];
}

/** Which versions of an agent take what `init` writes. What it writes for each is in `install.ts` and `events.ts` of the folder. */
export interface AgentVersions {
  /** The oldest that was driven for real; of still older ones nothing is known. Null: none was. */
  readonly oldest: string | null;
  /** What older versions do otherwise, and what is written for them instead: the newest first. */
  readonly differences: readonly { readonly below: string; readonly behaviour: string; readonly answer: string }[];
  /** Its package may be older than what runs: it updates itself elsewhere, so only the program knows. */
  readonly updatesItself?: true;
  /** The way to the version that runs, in a payload or in a line of the transcript. Absent where nothing tells it but the program. */
  readonly told?: { readonly payload?: readonly string[]; readonly transcript?: readonly string[] };
}

/** Everything Piton knows about one agent. Its folder is the only place where native names stand. */
export interface Agent {
  readonly id: string;
  readonly title: string;
  readonly aliases: readonly string[];
  /** What its program is called on PATH, where that is neither its id nor an alias. */
  readonly programs?: readonly string[];
  /** Variables that it sets for what it runs. A trailing `*` is a prefix; a leading `!` names one that people set as well. */
  readonly markers?: readonly string[];
  /** By which it can be started without the hooks that are registered with it: nothing that one agent may do to another. */
  readonly hookSwitches?: HookSwitches;
  /** Under which names it runs, where its id and aliases would also name something else, such as an editor. */
  readonly processes?: readonly string[];
  readonly vendorPage: string;
  /** Seen with this version by the real runs; null is unproven, and shown as such wherever the agent appears. */
  readonly provenVersion: string | null;
  readonly versions: AgentVersions;
  readonly events: readonly NativeEvent[];
  readonly variables: readonly string[];
  /** Its own tools, by the names that it has for them, in portable words. Tools of others, such as those of an MCP server, are not here. */
  readonly tools: Readonly<Record<string, { readonly name: string; readonly kind: ToolKind }>>;
  readonly shape: PayloadShape;
  readonly capabilities: CapabilityTable;
  /** Events that it reports for a part only of what their name says: for which, and where the rest goes. */
  readonly partial?: Readonly<Partial<Record<EventName, string>>>;
  /** How long the context of hooks may be; `{}` where a megabyte was seen to arrive whole. */
  readonly contextLimits: ContextLimits;
  readonly quirks: readonly Quirk[];
  readonly installer: Installer;
  /** Absent where it has no MCP servers, or where Piton cannot register one. */
  readonly mcp?: McpInstaller;
  /** Absent where hooks of its own cannot be taken over. */
  readonly importer?: Importer;
  /** Absent where it takes no plugin that only declares. */
  readonly ownPlugin?: OwnPlugin;
  /** Null where what is installed runs. */
  readonly readiness: Readiness | null;
  readonly transcript: TranscriptFormat | null;
  /** Whose list prices its models have, where they are not those of whoever makes the model. */
  readonly priceList?: string;
  /** How a command ended is in its transcript, and in no event. */
  readonly endsInTranscript?: true;
  /** Writes a hook into its configuration so that it runs without Piton. Null where that cannot be done. */
  readonly materializer: Materializer | null;
  /** Variables that hold the agent's credentials: scrubbed for project hooks. */
  readonly secrets: readonly string[];
  /** The agents whose configuration it also runs, by id. Only through their registrations may it claim a payload. */
  readonly alsoRuns?: readonly string[];
  /** Is this payload ours though it came through the registration of another agent? By fields that are there, never by one that is missing or empty: every agent leaves fields out. */
  readonly claims?: (payload: unknown, context: NativeContext) => boolean;
  /** `payload` is parsed JSON, or null where it was none. Never throws. */
  decode(payload: unknown, context: NativeContext): CanonicalEvent;
  encode(event: CanonicalEvent, decision: Reduced, context: EncodeContext): Encoded;
  /** The answer that changes nothing. */
  noop(nativeEvent: string): NativeAnswer;
  attended(variables: Readonly<Record<string, string>>, terminal: boolean): boolean;
  /** How a person starts it with a first prompt, as argv. Absent where its program takes none. */
  begin?(prompt: string): readonly string[];
  /** How a person takes up a session of this agent again, as argv. */
  resume(sessionId: string): readonly string[];
}
