export { type CommandFact, type Handoff, handoffOf, readHandoff } from './handoff/handoff.ts';
export { handoffText } from './handoff/handoff-text.ts';
export { factsOf } from './ledger/facts.ts';
export { type FixBody, type Observed, observedIn, type WorksBody } from './observations/observed.ts';
export { type Overview, type OverviewStore, readOverview, type SeenTree } from './overview/overview.ts';
export { CONTEXT_MODES, type ContextMode, MAX_TOKENS, type OverviewOptions, overviewText } from './overview/overview-text.ts';
export { tokensOf } from './text/block.ts';
export { quote } from './text/quote.ts';
