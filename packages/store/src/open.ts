import type { Store, StoreFailure } from './port.ts';
import type { SqliteModule } from './sqlite/driver.ts';
import type { Mount } from './sqlite/file-system.ts';
import { openSqlite } from './sqlite/open.ts';
import type { StoreTarget } from './target.ts';

export interface OpenOptions {
  /** For the command: never makes, migrates or moves anything. */
  readonly readonly?: boolean;
  /** Where there is no store yet, that is the answer (`missing`), and none is made. Who only reads makes none either. */
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
      /** Where a corrupt store was moved to, if there was one. */
      readonly setAside?: string;
    }
  | StoreFailure;

/** The one way to open a store. What stands in the way is a value: `missing` is a home where nothing was ever recorded. */
export function openStore(target: StoreTarget, options: OpenOptions = {}): Promise<OpenResult> {
  switch (target.kind) {
    case 'sqlite':
      return openSqlite(target.file, options);
  }
}
