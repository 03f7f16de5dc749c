/** What agents must leave alone, as plain data: the server also writes it down for the time without one. */
export interface GuardedPlaces {
  /** Piton's own: state, configuration, sockets. Absolute. */
  readonly directories: readonly string[];
  /** Files that decide which hooks the agents run for this user. Absolute. */
  readonly userFiles: readonly string[];
  /** The same in a project, relative to it. */
  readonly projectFiles: readonly string[];
  /** Git's hooks, in so far as we wrote into them: those of these names that hold this text. */
  readonly gitHooks: { readonly names: readonly string[]; readonly mark: string };
  /** Directories of the person's that hold everybody's things: naming one names nothing of ours. */
  readonly shared: readonly string[];
  /** What a command line may call these places by. */
  readonly variables: Readonly<Record<string, string>>;
  /** The server. */
  readonly pids: readonly number[];
  /** How agents can be started without their hooks. Absent in what an older version wrote. */
  readonly agents?: readonly AgentSwitches[];
}

/** By which an agent runs without the hooks that are registered with it. */
export interface AgentSwitches {
  readonly programs: readonly string[];
  readonly packages: readonly string[];
  /** Patterns of an option, with its value behind a space or `=`. */
  readonly options: readonly string[];
  readonly variables: readonly string[];
}

/** What has to be looked up on disk. None of it throws. */
export interface Disk {
  /** The path behind symbolic links, as far as it exists. */
  real(path: string): string;
  exists(path: string): boolean;
  /** The beginning of a file, or nothing. */
  head(path: string): string;
}

/** The directory of a project's hooks, wherever it lies. */
export const PROJECT_DIRECTORY = '.piton';
