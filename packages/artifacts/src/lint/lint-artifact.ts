import { EVENTS } from '@piton/contracts';
import { artifactName, type ParsedArtifact, parseArtifact } from '../parse.ts';
import type { FindFile, LintContext, RunText, Subject } from './context.ts';
import type { LintFinding } from './finding.ts';
import { errorsOf, inOrder, lintSubject } from './lint-hook.ts';
import { actionText, moduleText, withScripts } from './run-texts.ts';

export interface LintInput {
  /** The path of the ARTIFACT.md in findings. */
  readonly file: string;
  readonly text: string;
  /** The names of the files next to it. */
  readonly bundled: readonly string[];
  readonly findFile: FindFile;
  readonly context: LintContext;
}

/** All findings about an artifact, without running it. */
export function lintArtifact(input: LintInput): readonly LintFinding[] {
  const parsed = parseArtifact(input.text, input.bundled);
  const head = parseFindings(input.file, parsed);
  const subject = subjectOf(input, parsed);
  return inOrder(subject === undefined ? head : [...head, ...lintSubject(subject, input.context).filter(isNew(head))]);
}

/** Only errors. Runs wherever an artifact is read, so it does not read scripts. */
export function artifactErrors(input: LintInput, parsed: ParsedArtifact): readonly LintFinding[] {
  const subject = subjectOf(input, parsed);
  return subject === undefined ? [] : errorsOf(subject, input.context);
}

/** The shell code that an artifact runs: its action and its scripts. */
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

/** Drops "is missing" findings that the parser has already reported. */
const isNew = (head: readonly LintFinding[]) => (finding: LintFinding) =>
  !head.some(({ line, what }) => line === finding.line && /is missing/.test(what) && /is missing/.test(finding.what));

function subjectOf({ file, findFile, context }: LintInput, parsed: ParsedArtifact): Subject | undefined {
  if (parsed.entry === null) return undefined;
  const reading = context.readEntry(parsed.entry);
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
        ? withScripts(actionText(file, parsed.textLineOf('command'), command), findFile)
        : moduleText(file, module, findFile),
    findFile,
  };
}
