export { type CommandFact, type Handoff, handoffOf, readHandoff } from './handoff/handoff.ts';
export { handoffText } from './handoff/handoff-text.ts';
export { factsOf } from './ledger/facts.ts';
export { tokensOf } from './text/block.ts';
export { quote } from './text/quote.ts';
