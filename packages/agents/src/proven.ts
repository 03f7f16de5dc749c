import type { AgentProof } from '@piton/contracts';
import proven from './proven.json' with { type: 'json' };

/** What the last full run of the real agents has shown. `npm run test:agents -- --write` writes it, and nobody else. */
export const PROVEN = proven as readonly AgentProof[];

export { earliestContextEvent, MARKS, type MatrixCell, matrixOf, notesOf, proofOf } from './matrix.ts';
