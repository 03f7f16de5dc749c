import { Argument, Command } from 'commander';
import { CANDIDATE_KINDS, type CandidateKind, candidates } from '../completion/candidates.ts';
import type { Context } from '../context.ts';

/** Prints the words that a shell offers behind Tab, one per line, for what was typed so far. Hidden: only completion scripts use it. */
export function candidatesCommand(context: Context): Command {
  return new Command('candidates')
    .addArgument(new Argument('<kind>', 'What is asked for').choices(CANDIDATE_KINDS))
    .addArgument(new Argument('[beginning]', 'What was typed so far'))
    .action(async (kind: CandidateKind, beginning: string | undefined) => {
      for (const word of await candidates(context, kind, beginning)) context.out(`${word}\n`);
    });
}
