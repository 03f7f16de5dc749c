import { Argument, Command } from 'commander';
import { CANDIDATE_KINDS, type CandidateKind, candidates } from '../completion/candidates.ts';
import type { Context } from '../context.ts';
import { oneLine } from '../output/text.ts';

/** Prints the words that a shell offers behind Tab, one per line. Hidden: only completion scripts use it. */
export function candidatesCommand(context: Context): Command {
  return new Command('candidates')
    .addArgument(new Argument('<kind>', 'What is asked for').choices(CANDIDATE_KINDS))
    .action(async (kind: CandidateKind) => {
      for (const word of await candidates(context, kind)) if (!/\s/.test(word)) context.out(`${oneLine(word)}\n`);
    });
}
