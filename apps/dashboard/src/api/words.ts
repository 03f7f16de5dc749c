import type { PageCommit, PageDecision, PageSession } from '@piton/contracts/page';

// Words of the answers that have no name of their own there. The package itself knows Node; a browser does not.

export type DecisionName = PageDecision['decision'];
export type TokenCounts = NonNullable<PageSession['tokens']>;
export type ExportCost = NonNullable<PageSession['cost']>;
export type ExportLines = NonNullable<PageCommit['lines']>;
