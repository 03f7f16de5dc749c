import { existsSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { ARTIFACT_FILE, nearestName } from '@piton/hooks';
import type { Context } from '../context.ts';
import { Failure } from '../failure.ts';
import { type ArtifactSource, librarySources, readSource, requireHookName } from '../library/artifact-source.ts';
import { type CatalogueEntry, readCatalogues } from './catalogue-file.ts';
import { folderHook } from './folder-source.ts';
import { gitHook } from './git-source.ts';
import { npmHook } from './npm-source.ts';
import { digestOf, type FetchedHook, HOOK_NAMESPACE, type Origin, SIGNATURE_FILE, type SignedText, signedTextOf } from './origin.ts';
import { parseSourceRef, type SourceRef } from './source-ref.ts';
import { checkSignatures, type Signature } from './ssh-keygen.ts';
import type { Staging } from './staging.ts';

/** A hook that could be added, with everything that is known of where it comes from. Nothing of it has run. */
export interface Offer {
  readonly source: ArtifactSource;
  readonly origin: Origin;
  readonly digest: string;
  readonly signature: Signature;
}

type Place = Exclude<SourceRef, { kind: 'name' }>;

export interface OfferRequest {
  /** Which of its hooks, where a source has several. */
  readonly hook?: string | undefined;
  /** What its digest must be. */
  readonly digest?: string | undefined;
  readonly catalogues: readonly string[];
  readonly staging: Staging;
}

/** By a name of the library or of a catalogue, the address of a repository, a package, or a folder. */
export async function findOffer(context: Context, text: string, request: OfferRequest): Promise<Offer> {
  const ref = parseSourceRef(text);
  if (ref.kind !== 'name') return fetchOffer(context, ref, request);
  const library = librarySources(context);
  const found = library.find(({ name }) => name === ref.name);
  if (found) return libraryOffer(found, request.digest);
  const entries = readCatalogues(context, request.catalogues).flatMap(({ hooks }) => hooks);
  const [entry, ...others] = entries.filter(({ name }) => name === ref.name);
  if (entry !== undefined) {
    if (others.some(({ digest }) => digest !== entry.digest))
      throw new Failure(`more than one catalogue has a hook named ${JSON.stringify(ref.name)}`, {
        where: [entry, ...others].map(({ source }) => source).join(', '),
        remedy: 'give its source in place of its name',
        usage: true,
      });
    return fromCatalogue(context, entry, request);
  }
  if (existsSync(join(resolve(context.cwd, ref.name), ARTIFACT_FILE)))
    return fetchOffer(context, { kind: 'folder', path: ref.name }, request);
  throw noSuchName(
    ref.name,
    [...library, ...entries].map(({ name }) => name),
  );
}

function noSuchName(name: string, names: readonly string[]): Failure {
  const near = nearestName(name, [...names]);
  return new Failure(`no hook in the library and no folder with an ${ARTIFACT_FILE} is named ${JSON.stringify(name)}`, {
    remedy: `${near === undefined ? `available: ${names.join(', ')}.` : `did you mean ${near}?`} For a package of npm: npm:<name>`,
    usage: true,
  });
}

/** What a catalogue promised is what must be there. */
async function fromCatalogue(context: Context, entry: CatalogueEntry, request: OfferRequest): Promise<Offer> {
  return fetchOffer(context, placeOf(entry.source), { ...request, hook: entry.path || undefined, digest: request.digest ?? entry.digest });
}

/** The same source once more, for a newer version. */
export async function refetch(context: Context, { source, path, kind }: Origin, request: OfferRequest): Promise<Offer> {
  if (kind !== 'library') return fetchOffer(context, placeOf(source), { ...request, hook: path || undefined });
  const found = librarySources(context).find(({ name }) => name === source);
  if (found) return libraryOffer(found, request.digest);
  throw new Failure(`${JSON.stringify(source)} is no longer in the library`);
}

/** A name in a catalogue, or in our records, would lead on to another catalogue. */
function placeOf(source: string): Place {
  const ref = parseSourceRef(source);
  if (ref.kind !== 'name') return ref;
  throw new Failure(`${JSON.stringify(source)} is no address, package or folder`, { remedy: 'write it as hooks add takes it' });
}

function libraryOffer(source: ArtifactSource, wanted: string | undefined): Offer {
  const digest = digestOf(source.files);
  requireDigest(source.name, digest, wanted, source.place);
  return { source, origin: { kind: 'library', source: source.name, path: '' }, digest, signature: { state: 'none' } };
}

function requireDigest(name: string, digest: string, wanted: string | undefined, where: string): void {
  if (wanted !== undefined && wanted !== digest)
    throw new Failure(`${name} is not the hook that was named: its digest is ${digest}, not ${wanted}`, {
      where,
      remedy: 'it was changed since. Look at what changed before you take another digest',
    });
}

async function fetchOffer(context: Context, ref: Place, request: OfferRequest): Promise<Offer> {
  const { hook, staging } = request;
  const fetched =
    ref.kind === 'folder'
      ? folderHook(context, ref.path, hook)
      : await staging.during((signal) => (ref.kind === 'git' ? gitHook(context, ref, hook, signal) : npmHook(context, ref, hook, signal)));
  const { name, files, origin } = fetched;
  const digest = digestOf(files);
  requireDigest(name, digest, request.digest, origin.source);
  const place = origin.path === '' ? origin.source : `${origin.source} ${origin.path}`;
  requireHookName(name, place);
  const signature = checkSignatures(context, [...ownSignature(fetched), ...fetched.signed]);
  if (signature.state === 'bad')
    throw new Failure(
      `${name} was not added: the signature on its ${signature.of === 'hook' ? 'files' : signature.of} is not of these bytes`,
      {
        where: place,
        remedy: `ask who signed it. ssh-keygen says: ${signature.why}`,
      },
    );
  // The digest is of all files but the signature, so that one is not copied: a hook could run what nobody has pinned.
  const copied = files.filter(({ path }) => path !== SIGNATURE_FILE);
  return { source: readSource(staging.write(name, copied), true, place), origin, digest, signature };
}

function ownSignature({ name, files }: FetchedHook): SignedText[] {
  const file = files.find(({ path }) => path === SIGNATURE_FILE);
  if (file === undefined) return [];
  return [{ of: 'hook', namespace: HOOK_NAMESPACE, text: signedTextOf(name, files), signature: file.bytes.toString('latin1') }];
}
