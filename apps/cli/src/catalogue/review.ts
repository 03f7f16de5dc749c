import { ARTIFACT_FILE, readLoneHook, referencesOf } from '@piton/hooks';
import type { Context } from '../context.ts';
import { READING } from '../hooks/in-force.ts';
import type { AddPlan } from '../library/add.ts';
import { casesOf } from '../library/artifact-source.ts';
import { fitLines } from '../output/fit.ts';
import { plural } from '../output/text.ts';
import { visibleText } from '../output/visible-text.ts';
import { newBudget } from '../trust/file-lines.ts';
import { contentLines, REFERENCE_WORDS } from '../trust/review.ts';
import type { Offer } from './offer.ts';
import type { Signature } from './ssh-keygen.ts';

export interface OfferReview {
  readonly text: string;
  /** The first lines of it, for after a pager. */
  readonly head: string;
}

/** What a person must see before a hook of somebody else's is added: whose it is, when it runs, and every line of it, or what is new. */
export function reviewOffer(context: Context, { source, origin, digest, signature }: Offer, plan: AddPlan): OfferReview {
  const { paint } = context;
  const read = readLoneHook(source.folder, READING);
  const hook = read.ok ? read.hook : undefined;
  // `sh -c` and the words of its action.
  const action = hook?.module === undefined ? hook?.argv[2] : undefined;
  const cases = casesOf(source.files).length;
  const references = referencesOf({
    root: source.folder,
    files: source.files,
    ...(action !== undefined && { command: { path: ARTIFACT_FILE, text: action } }),
  });
  const was = plan.before?.version;
  const label = (name: string, text: string): string => `  ${name.padEnd(10)} ${visibleText(text)}`;
  const warn = (name: string, text: string): string => `  ${paint('yellow', name.padEnd(10))} ${visibleText(text)}`;
  const head = [
    `${paint('bold', source.name)} ${visibleText(was !== undefined && was !== source.version ? `${was} → ${source.version}` : source.version)}`,
    label('from', source.place),
    ...(origin.commit === undefined ? [] : [label('commit', origin.commit)]),
    ...(origin.version === undefined ? [] : [label('package', `${origin.version}, ${origin.integrity ?? ''}`)]),
    label('digest', digest),
    signatureLine(context, signature),
    label('runs on', `${source.event}${source.policy ? '; a policy: denies if it cannot answer' : ''}`),
    ...(source.needs.length === 0 ? [] : [label('needs', source.needs.join(', '))]),
    ...references.map(({ name, file, line, why }) => warn('not pinned', `${name} (${file}:${line}): ${REFERENCE_WORDS[why]}`)),
    ...plan.findings
      .filter(({ severity }) => severity === 'warning')
      .map(({ file, line, what }) => warn('lint', `${file.slice(source.folder.length + 1)}:${line}: ${what}`)),
    label('test cases', cases === 0 ? 'none' : `${plural(cases, 'file')}, run after your yes and before it is added`),
  ].map((line) => fitLines(line, context.width));
  const main = [ARTIFACT_FILE, ...(hook?.module === undefined ? [] : [hook.module.slice(source.folder.length + 1)])];
  const content = { id: source.name, old: plan.there ?? null, now: plan.files, main };
  const lines = contentLines(context, content, newBudget(true), new Map());
  return { text: `${[...head, ...lines].join('\n')}\n`, head: `${head.join('\n')}\n` };
}

const ON: Readonly<Record<'hook' | 'commit' | 'tag', string>> = { hook: '', commit: ', on the commit', tag: ', on the tag' };

export function signatureText(signature: Signature): string {
  switch (signature.state) {
    case 'none':
      return 'not signed';
    case 'known':
      return `by ${signature.who}, ${signature.key}${ON[signature.of]}`;
    case 'unknown':
      return `by a key that is not in your list of signers: ${signature.key}${ON[signature.of]}`;
    case 'unchecked':
      return `not checked: ${signature.why}`;
    case 'bad':
      return `wrong: ${signature.why}`;
  }
}

function signatureLine({ paint }: Context, signature: Signature): string {
  const isKnown = signature.state === 'known';
  return `  ${paint(isKnown ? 'green' : 'yellow', 'signed'.padEnd(10))} ${visibleText(signatureText(signature))}`;
}
