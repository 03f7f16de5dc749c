import { compareVersions } from '@piton/contracts';
import { evidenceOfAgent } from '../agents/under-agent.ts';
import type { Context } from '../context.ts';
import { Failure } from '../failure.ts';
import { type AddedFrom, type AddPlan, type AddRequest, ChangedHookError, planAdd } from '../library/add.ts';
import { type ArtifactSource, leftOutText } from '../library/artifact-source.ts';
import { showPaged } from '../output/pager.ts';
import { plural } from '../output/text.ts';
import { consent } from '../question.ts';
import { changeLines } from '../trust/review.ts';
import { runHookCases } from './hook-cases.ts';
import type { Offer } from './offer.ts';
import { reviewOffer } from './review.ts';
import type { Staging } from './staging.ts';

export interface AcceptOptions {
  readonly yes: boolean;
  readonly json: boolean;
  /** Run the test cases that came with it. */
  readonly cases: boolean;
  /** What to type, without `--yes`. */
  readonly command: string;
  readonly staging: Staging;
}

/** A hook runs as soon as it is added, so a person must add it. */
export function refuseUnderAgent(context: Context, doing: string): void {
  const evidence = evidenceOfAgent(context.env);
  if (evidence)
    throw new Failure(`${doing} hooks is not allowed under an agent (${evidence})`, {
      remedy: 'run it in your own terminal. In tests and CI set PITON_ALLOW_UNDER_AGENT=1',
    });
}

/** The plan for a hook, or why it cannot be added: lint, what somebody changed in it, and who signed the one that is there. */
export function planOffer(context: Context, { source, signature }: Offer, request: AddRequest): AddPlan {
  const plan = explained(context, source, () => planAdd(context, source, request));
  const signer = plan.before?.signer;
  if (signer !== undefined && !plan.same && !(signature.state === 'known' && signature.who === signer))
    throw new Failure(`${source.name} was signed by ${signer}, and what is there now is not`, {
      where: source.place,
      remedy: `ask ${signer}. If you know why: piton hooks remove ${source.name}, and add it again`,
    });
  if (signer !== undefined) refuseOlder(source, plan.before?.version ?? '');
  return plan;
}

/** A signature is good for ever, also on a version with a hole: who has the place, but not the key, could bring that one back. */
function refuseOlder({ name, place, version }: ArtifactSource, here: string): void {
  if (compareVersions(version, here) < 0)
    throw new Failure(`${name} ${here} is here, and ${version} is older`, {
      where: place,
      remedy: `if you want the older one: piton hooks remove ${name}, and add it again`,
    });
}

/**
 * Shows a hook whole, or what is new of it, and asks. Only then its test cases run: they are code of whoever wrote it. True: it may be
 * added. What comes with Piton is added without a question, and so is what is there already.
 */
export async function acceptOffer(context: Context, offer: Offer, plan: AddPlan, options: AcceptOptions): Promise<boolean> {
  if (plan.same) return true;
  const { yes, json, command } = options;
  const { text, head } = reviewOffer(context, offer, plan);
  if (context.interactive && !yes) {
    // Some pagers clear the screen when they end.
    if (await showPaged(context, `${text}\n`)) context.out(`${head}\n`);
  } else if (!json) context.out(`${text}\n`);
  const question = plan.there === undefined ? `Add ${offer.source.name}?` : `Update ${offer.source.name}?`;
  if (!(await consent(context, { question, yes, command }))) return false;
  if (options.cases) await refuseFailedCases(context, offer.source, options);
  return true;
}

async function refuseFailedCases(context: Context, source: ArtifactSource, { command, staging }: AcceptOptions): Promise<void> {
  const { count, failed } = await staging.during(async (signal) => {
    const result = await runHookCases(context, source.folder, signal);
    signal.throwIfAborted();
    return result;
  });
  if (failed.length === 0) return;
  for (const lines of failed) context.err(lines);
  throw new Failure(`${source.name} was not added: ${failed.length} of its ${plural(count, 'test case')} failed here`, {
    where: source.place,
    remedy: `to add it all the same: ${command} --no-cases`,
  });
}

/** What is kept of an offer beside the hook. */
export const fromOffer = ({ origin, digest, signature }: Offer): AddedFrom => ({
  origin,
  digest,
  ...(signature.state === 'known' && { signer: signature.who }),
});

export const offerJson = ({ origin, digest, signature }: Offer): object => ({ origin, digest, signature });

export function explained<T>(context: Context, source: ArtifactSource, look: () => T): T {
  try {
    return look();
  } catch (error) {
    throw explainedError(context, source, error);
  }
}

export function explainedError(context: Context, source: ArtifactSource, error: unknown): unknown {
  if (!(error instanceof ChangedHookError)) return error;
  for (const line of error.changes.flatMap((change) => changeLines(context, change))) context.err(`${line}\n`);
  for (const link of error.links) context.err(`- ${leftOutText(link)}\n`);
  return new Failure(`${source.name} was changed since it was added. The changes above would be lost`, {
    where: error.folder,
    remedy: 'keep it, or use --force',
  });
}
