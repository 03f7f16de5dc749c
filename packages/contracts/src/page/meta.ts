/** POST /api/token with `{ "code": … }` of the link's fragment. Each code buys one token, within 60 seconds. */
export interface PageToken {
  /** Sent as `Authorization: Bearer …` with every other request. */
  readonly token: string;
}

/** GET /api/meta */
export interface PageMeta {
  readonly version: string;
  readonly home: string;
  /** False where the store lies on a read-only file system: nothing new will be seen. */
  readonly live: boolean;
  /** Whether a server of Piton answers. Without one nothing is recorded now. */
  readonly server: boolean;
  /** Null if nothing was ever recorded. */
  readonly store: { readonly id: string; readonly seq: number; readonly events: number } | null;
  /** The day of the list prices by which costs are computed. */
  readonly listPricesOf: string;
  readonly agents: readonly { readonly id: string; readonly title: string }[];
  /** How `piton` is typed here. */
  readonly command: string;
  /** The repository in which `piton ui` was started, by its id in `/api/repositories`. */
  readonly repository: string | null;
}
