import { createInterface } from 'node:readline/promises';
import { evidenceOfAgent } from './agents/under-agent.ts';
import type { Context } from './context.ts';
import { Failure } from './failure.ts';
import { Interrupted } from './interruption.ts';
import { fitLines } from './output/fit.ts';
import { safeText } from './output/safe-text.ts';

/** Asks the user. End of input means no. Ctrl-C ends the command. */
async function ask({ out, width }: Context, question: string, stop?: AbortSignal): Promise<boolean> {
  // Readline counts the columns of the last line only.
  const lines = fitLines(`${safeText(question, false)} [y/N]`, width - 2).split('\n');
  const last = lines.pop();
  for (const line of lines) out(`${line}\n`);
  const reader = createInterface({ input: process.stdin, output: process.stdout });
  const closed = new Promise<string>((resolve) => reader.once('close', () => resolve('')));
  const interrupted = new Promise<never>((_, reject) => reader.once('SIGINT', () => reject(new Interrupted())));
  try {
    const answer = await Promise.race([
      stop ? reader.question(`${last} `, { signal: stop }) : reader.question(`${last} `),
      closed,
      interrupted,
    ]);
    return /^y(es)?$/i.test(answer.trim());
  } finally {
    reader.close();
  }
}

/** Without a terminal it does not ask, and the answer is no. `stop` ends the question, as an error. */
export async function askIfInteractive(context: Context, question: string, stop?: AbortSignal): Promise<boolean> {
  return context.interactive && (await ask(context, question, stop));
}

export interface Consent {
  readonly question: string;
  readonly yes: boolean;
  /** The command to run in one's own terminal. */
  readonly command: string;
}

/** A user's consent to something that protects them from agents. An agent could type `--yes` too, so under an agent it does not count. */
export async function consent(context: Context, { question, yes, command }: Consent): Promise<boolean> {
  if (yes) {
    const evidence = evidenceOfAgent(context.env);
    if (!evidence) return true;
    throw new Failure(`--yes is not allowed under an agent (${evidence})`, {
      remedy: `run \`${command}\` in your own terminal. In tests and CI set PITON_ALLOW_UNDER_AGENT=1`,
    });
  }
  if (!context.interactive) throw new Failure('this needs confirmation, and there is no terminal', { remedy: `run \`${command} --yes\`` });
  return ask(context, question);
}
