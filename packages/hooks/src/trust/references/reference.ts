/** Something that a hook uses and that is not in its trusted copy, so it can change without review. */
export interface Reference {
  /** A path below the project, a package, or a command. */
  readonly name: string;
  /** The file of the copy that names it. */
  readonly file: string;
  readonly line: number;
  readonly why: ReferenceKind;
}

/**
 * `file`: a file of the project, used where it is. `interpreter`: the program on a `#!` line, in the project. `missing`: a path that
 * leads out of the copy, so that the hook will not find it. `package`: found outside the copy. `project-command`: runs what the
 * project's own files say. `computed`: known only when it runs. `unread`: too long to be searched.
 */
export type ReferenceKind = 'file' | 'interpreter' | 'missing' | 'package' | 'project-command' | 'computed' | 'unread';

/** A text of a hook, and where it lies. */
export interface HookText {
  /** Its path in the copy. */
  readonly path: string;
  readonly text: string;
}

/** What references are looked up in. */
export interface Surroundings {
  /** The project directory. */
  readonly root: string;
  /** The paths of all files of the copy. */
  readonly copied: ReadonlySet<string>;
  /** Is there something other than a directory at this absolute path? */
  readonly exists: (path: string) => boolean;
}
