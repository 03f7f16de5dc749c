import { anchored } from './anchor.ts';
import { readFrontMatter } from './front-matter.ts';

/** Something wrong with an artifact, at a line of its ARTIFACT.md. */
export interface ArtifactProblem {
  readonly line: number;
  readonly what: string;
}

export interface ParsedArtifact {
  /** Its fields, with the field names of settings; null if there are none. */
  readonly entry: Readonly<Record<string, unknown>> | null;
  readonly version: string;
  /** The text below the front matter, for people. */
  readonly body: string;
  readonly problems: readonly ArtifactProblem[];
  lineOf(field: string): number;
  /** The first line of the value of a field. */
  textLineOf(field: string): number;
}

const SEMVER = /^\d+\.\d+\.\d+(?:-[0-9A-Za-z.-]+)?(?:\+[0-9A-Za-z.-]+)?$/;
/** Fields that have another name in settings. */
const RENAMED = { hook_event: 'event', hook_action: 'command' } as const;

/** `bundled`: the names of the files next to the ARTIFACT.md. */
export function parseArtifact(text: string, bundled: readonly string[]): ParsedArtifact {
  const read = readFrontMatter(text);
  if (!read.ok) {
    const problems = [{ line: read.line, what: read.error }];
    return { entry: null, version: '', body: '', problems, lineOf: () => 1, textLineOf: () => 1 };
  }
  const { fields, body, lineOf, textLineOf } = read.matter;
  const problems: ArtifactProblem[] = [];
  const wrong = (field: string, what: string): void => void problems.push({ line: lineOf(field), what });
  if (fields.type !== 'hook')
    wrong('type', fields.type === undefined ? '"type: hook" is missing' : `"type" is ${String(fields.type)}, not hook`);
  const version = typeof fields.version === 'string' ? fields.version : '';
  if (!SEMVER.test(version)) wrong('version', fields.version === undefined ? '"version" is missing' : '"version" is not like 1.0.0');
  for (const [theirs, ours] of Object.entries(RENAMED)) if (ours in fields) wrong(ours, `in an artifact "${ours}" is called "${theirs}"`);
  if (fields.hook_event === undefined) wrong('hook_event', '"hook_event" is missing');
  if (fields.hook_action === undefined && fields.module === undefined) wrong('hook_action', '"hook_action" or "module" is missing');
  const { type: _type, version: _version, hook_event: event, hook_action: command, ...rest } = fields;
  const entry = {
    ...rest,
    ...(event !== undefined && { event }),
    ...(command !== undefined && { command: typeof command === 'string' ? anchored(command, bundled) : command }),
  };
  return {
    ...{ entry, version, body, problems },
    lineOf: (field) => lineOf(artifactName(field)),
    textLineOf: (field) => textLineOf(artifactName(field)),
  };
}

/** The name in an artifact of a field of the settings. */
export const artifactName = (field: string): string => Object.entries(RENAMED).find(([, ours]) => ours === field)?.[0] ?? field;
