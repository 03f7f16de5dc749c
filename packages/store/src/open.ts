import type { Store, StoreFailure } from './port.ts';
import type { SqliteModule } from './sqlite/database/driver.ts';
import type { Mount } from './sqlite/database/file-system.ts';
import { openSqlite, sqliteRefusalOf } from './sqlite/open.ts';
import type { StoreTarget } from './target.ts';

export interface OpenOptions {
  /** For the command: never creates, migrates or moves anything. */
  readonly readonly?: boolean;
  /** Does not create a store: the result is `missing` if there is none. Implied by `readonly`. */
  readonly existing?: boolean;
  /** Called in the middle of each migration's transaction. */
  readonly onStep?: (name: string) => void;
  readonly loadSqlite?: () => Promise<SqliteModule>;
  readonly mountOf?: (directory: string) => Mount | undefined;
  readonly nowUs?: () => number;
}
export type OpenResult =
  | {
      readonly ok: true;
      readonly store: Store;
      /** False for a store that lies on a read-only file system: what others may write elsewhere is never seen. */
      readonly live: boolean;
      /** Where a corrupt store was moved to, if there was one. */
      readonly movedTo?: string;
    }
  | StoreFailure;

/** The only way to open a store. Failures are values: `missing` is a home where nothing was ever recorded. */
export function openStore(target: StoreTarget, options: OpenOptions = {}): Promise<OpenResult> {
  switch (target.kind) {
    case 'sqlite':
      return openSqlite(target.file, options);
  }
}

/** Why this Piton must not use the store, if it must not: a newer one wrote it, and does not name this one as a reader. Changes nothing. */
export function refusalOf(target: StoreTarget): Promise<StoreFailure | undefined> {
  switch (target.kind) {
    case 'sqlite':
      return sqliteRefusalOf(target.file);
  }
}
