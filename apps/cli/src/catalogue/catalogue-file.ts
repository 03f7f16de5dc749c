import { dirname, isAbsolute, resolve } from 'node:path';
import type { Context } from '../context.ts';
import { Failure, reasonOf } from '../failure.ts';
import { readRegular } from '../files/regular-file.ts';

/** A hook as a catalogue lists it. */
export interface CatalogueEntry {
  readonly name: string;
  readonly version: string;
  readonly event: string;
  readonly description: string;
  readonly tags: readonly string[];
  readonly needs: readonly string[];
  /** As `hooks add` takes it; in the file a folder may be relative to that. */
  readonly source: string;
  /** Its folder in the source. */
  readonly path: string;
  readonly digest: string;
}

export interface Catalogue {
  readonly file: string;
  readonly hooks: readonly CatalogueEntry[];
}

/** The format of the file. Readers refuse a newer one. */
export const CATALOGUE_FORMAT = 1;

const MOST_BYTES = 16 * 1024 * 1024;
const DIGEST = /^sha256:[0-9a-f]{64}$/;

export const isDigest = (text: string): boolean => DIGEST.test(text);

export const readCatalogues = (context: Context, files: readonly string[]): Catalogue[] =>
  files.map((file) => readCatalogue(resolve(context.cwd, file)));

/** Anybody may have written it: what is not as it should be is an error, and no text of it is more than a text. */
export function readCatalogue(file: string): Catalogue {
  const fail = (why: string): Failure =>
    new Failure(`cannot read this catalogue: ${why}`, { where: file, remedy: 'make one: piton hooks index' });
  let value: unknown;
  try {
    value = JSON.parse(readRegular(file, MOST_BYTES).toString('utf8'));
  } catch (error) {
    throw fail(reasonOf(error));
  }
  const { piton_catalogue: format, hooks } = (value ?? {}) as { piton_catalogue?: unknown; hooks?: unknown };
  if (format !== CATALOGUE_FORMAT)
    throw fail(
      typeof format === 'number' ? `it has format ${format}, and this Piton reads ${CATALOGUE_FORMAT}` : 'it is no catalogue of hooks',
    );
  if (!Array.isArray(hooks)) throw fail('"hooks" is not a list');
  return { file, hooks: hooks.map((hook, at) => entryOf(hook, file) ?? raise(fail(`hook ${at + 1} lacks a name, a source or a digest`))) };
}

function raise(error: Error): never {
  throw error;
}

function entryOf(hook: unknown, file: string): CatalogueEntry | undefined {
  const fields = (hook ?? {}) as Readonly<Record<string, unknown>>;
  const text = (name: string): string => (typeof fields[name] === 'string' ? (fields[name] as string) : '');
  const texts = (name: string): string[] => (Array.isArray(fields[name]) ? fields[name].filter((each) => typeof each === 'string') : []);
  const [name, source, digest] = [text('name'), text('source'), text('digest')];
  if (name === '' || source === '' || !isDigest(digest)) return undefined;
  return {
    ...{ name, digest, version: text('version'), event: text('event'), description: text('description') },
    ...{ tags: texts('tags'), needs: texts('needs'), path: text('path') },
    source: /^\.{1,2}(?:\/|$)/.test(source) && !isAbsolute(source) ? resolve(dirname(file), source) : source,
  };
}
