import type { LedgerRow, Store } from '@piton/store';

/** Of one session; nobody makes more. */
const MOST = 1000;

export type CommitRow = Extract<LedgerRow, { kind: 'commit' }>;

/** The commits that hold work of a session, whoever made them, newest first. */
export async function commitsOf(store: Store, session: string): Promise<readonly CommitRow[]> {
  const rows = await store.ledger({ session, kinds: ['commit'], limit: MOST });
  return rows.flatMap((row) => (row.kind === 'commit' ? [row] : []));
}
