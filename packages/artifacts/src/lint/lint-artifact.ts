import { EVENTS } from '@piton/contracts';
import { artifactName, type ParsedArtifact, parseArtifact } from '../parse.ts';
import type { LintFinding } from './finding.ts';
import { errorsOf, inOrder, lintSubject } from './lint-hook.ts';
import { actionText, moduleText, withScripts } from './run-texts.ts';
import type { LintWorld, LookAt, RunText, Subject } from './world.ts';

export interface LintInput {
  /** How its ARTIFACT.md is called in findings. */
  readonly file: string;
  readonly text: string;
  /** The names that lie beside it. */
  readonly bundled: readonly string[];
  readonly look: LookAt;
  readonly world: LintWorld;
}

/** Everything that can be said of an artifact before it runs. */
export function lintArtifact(input: LintInput): readonly LintFinding[] {
  const parsed = parseArtifact(input.text, input.bundled);
  const head = parseFindings(input.file, parsed);
  const subject = subjectOf(input, parsed);
  return inOrder(subject === undefined ? head : [...head, ...lintSubject(subject, input.world).filter(isNew(head))]);
}

/** Only what keeps it out: asked wherever an artifact is read, so without a look into its scripts. */
export function artifactErrors(input: LintInput, parsed: ParsedArtifact): readonly LintFinding[] {
  const subject = subjectOf(input, parsed);
  return subject === undefined ? [] : errorsOf(subject, input.world);
}

/** The shell that an artifact runs: its action, and scripts of its own. */
export const shellOf = (input: LintInput): readonly RunText[] =>
  (subjectOf(input, parseArtifact(input.text, input.bundled))?.texts ?? []).filter(({ shell }) => shell !== undefined);

const parseFindings = (file: string, { problems }: ParsedArtifact): LintFinding[] =>
  problems.map(({ line, what }) => ({
    severity: 'error',
    rule: 'schema',
    file,
    line,
    what,
    remedy: 'see the fields: piton schema artifact',
  }));

/** What is missing was said of the head already. */
const isNew = (head: readonly LintFinding[]) => (finding: LintFinding) =>
  !head.some(({ line, what }) => line === finding.line && /is missing/.test(what) && /is missing/.test(finding.what));

function subjectOf({ file, look, world }: LintInput, parsed: ParsedArtifact): Subject | undefined {
  if (parsed.entry === null) return undefined;
  const reading = world.readEntry(parsed.entry);
  const { command, module } = parsed.entry;
  return {
    way: 'artifact',
    file,
    entry: parsed.entry,
    reading,
    event: EVENTS.find((event) => event === reading.event),
    lineOf: parsed.lineOf,
    nameOf: artifactName,
    texts:
      typeof command === 'string'
        ? withScripts(actionText(file, parsed.textLineOf('command'), command), look)
        : moduleText(file, module, look),
    look,
  };
}
