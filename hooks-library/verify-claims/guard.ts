import { claimsIn } from './claims.ts';
import { contradictionOf, type Evidence } from './contradictions.ts';
import { evidenceOf } from './evidence.ts';
import { readLedger } from './ledger.ts';

interface Payload {
  readonly cwd: string;
  readonly session_id?: string;
  /** The agent continues because a hook told it to. */
  readonly stop_hook_active?: boolean;
  readonly last_assistant_message?: string;
  readonly piton: { readonly repo: string | null };
}

type Answer = { readonly decision: 'continue'; readonly reason: string } | undefined;

export default async (payload: Payload, { signal }: { readonly signal: AbortSignal }): Promise<Answer> => {
  const { cwd, session_id: session = '', last_assistant_message: answer = '', stop_hook_active: isAgain = false, piton } = payload;
  // Once is enough: it may have its reasons.
  if (isAgain || claimsIn(answer).length === 0) return undefined;
  const ledger = await readLedger(session, signal);
  return ledger && judge(answer, evidenceOf(ledger, cwd, piton.repo));
};

/** What the answer claims and the evidence contradicts, as an answer to the agent. */
export function judge(answer: string, evidence: Evidence): Answer {
  const said = new Map<string, string>();
  for (const claim of claimsIn(answer)) {
    const fact = contradictionOf(claim, evidence);
    if (fact !== undefined) said.set(fact, CLAIMED[claim.kind]);
  }
  if (said.size === 0) return undefined;
  const lines = [...said].map(([fact, what]) => `- You said that ${what}, but ${fact}.`);
  return {
    decision: 'continue',
    reason: [
      "Piton's record of this session differs from what you just said:",
      ...lines,
      'Check this. Do what is missing, or say what is true.',
    ].join('\n'),
  };
}

const CLAIMED = { tests: 'the tests pass', file: 'a file was written', commit: 'something was committed' } as const;
