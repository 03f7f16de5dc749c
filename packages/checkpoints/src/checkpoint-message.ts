import { isUlid, ulidTime } from '@piton/contracts';
import { AUTHORS, CHECKPOINT_KINDS, type Checkpoint, oneLine, REFS } from './checkpoint.ts';
import { type RawPath, rawPath, shownPath } from './raw-path.ts';
import type { Skipped } from './snapshot/skipped.ts';
import { isUtf8 } from './snapshot/tree.ts';

type Written = Omit<Checkpoint, 'ref' | 'commit' | 'tree' | 'base'>;

/**
 * The message of a checkpoint's commit: a name for people, a blank line, and an object of JSON, a field a line. The name is somebody
 * else's text, most often a prompt: it is one line, and nothing is read from it.
 */
export function formatMessage(written: Written): string {
  const { id, kind, name, by, session, agent, turn, branch, worktree, place, before, workOf, workAgent, linked, verbatim, asOnDisk } =
    written;
  const isOwn = workOf === session;
  const fields = {
    ...{ id, kind, by, at: written.at.toISOString(), session, agent, turn },
    ...(isOwn ? {} : { work: workOf === null ? null : { session: workOf, agent: workAgent } }),
    ...{ branch, worktree, place, before, commit: linked, ...(verbatim && { verbatim }), ...(asOnDisk && { asOnDisk }) },
    ...(written.own.length > 0 && { own: written.own.map(writtenPath) }),
    ...(written.shared.length > 0 && { shared: written.shared.map(writtenPath) }),
    ...(written.skipped.length > 0 && { skipped: written.skipped.map(({ path, ...rest }) => ({ path: writtenPath(path), ...rest })) }),
  };
  const known = Object.entries(fields).filter(([field, value]) => value !== null || field === 'work');
  const lines = known.map(([field, value]) => `  ${JSON.stringify(field)}: ${JSON.stringify(value)}`);
  return `${oneLine(name) || kind}\n\n{\n${lines.join(',\n')}\n}\n`;
}

/** The fields of a commit as `for-each-ref` or `log` gives them. */
export interface CommitFacts {
  readonly ref: string;
  readonly commit: string;
  readonly tree: string;
  readonly parent: string;
  readonly message: string;
}

type Fields = Readonly<Record<string, unknown>>;

/** Null if that is no checkpoint of ours: anybody may write a ref. */
export function parseCheckpoint({ ref, commit, tree, parent, message }: CommitFacts): Checkpoint | null {
  const id = ref.slice(REFS.length);
  if (!ref.startsWith(REFS) || !isUlid(id)) return null;
  const end = message.indexOf('\n\n');
  if (end < 0) return null;
  const body = message.slice(end + 2);
  const fields = body.startsWith('{') ? parseFields(body) : parseTrailers(body);
  const kind = CHECKPOINT_KINDS.find((known) => known === fields?.['kind']);
  if (!fields || !kind || fields['id'] !== id) return null;
  const session = textIn(fields, 'session');
  const agent = textIn(fields, 'agent');
  const work = workIn(fields, session, agent);
  return {
    id,
    ref,
    commit,
    tree,
    base: parent.split(' ')[0] || null,
    kind,
    name: message.slice(0, end).split('\n')[0] ?? '',
    by: AUTHORS.find((known) => known === fields['by']) ?? 'shared',
    session,
    agent,
    turn: textIn(fields, 'turn'),
    branch: textIn(fields, 'branch'),
    worktree: textIn(fields, 'worktree') ?? 'main',
    place: textIn(fields, 'place'),
    before: textIn(fields, 'before'),
    workOf: work.session,
    workAgent: work.agent,
    linked: textIn(fields, 'commit'),
    verbatim: fields['verbatim'] === true,
    asOnDisk: fields['asOnDisk'] === true,
    at: atIn(fields, id),
    skipped: listIn(fields, 'skipped').flatMap(skippedIn),
    shared: listIn(fields, 'shared').flatMap(pathIn),
    own: listIn(fields, 'own').flatMap(pathIn),
  };
}

function parseFields(json: string): Fields | null {
  const value = parsed(json);
  return isFields(value) ? value : null;
}

function parsed(json: string): unknown {
  try {
    return JSON.parse(json);
  } catch {
    return undefined;
  }
}

const isFields = (value: unknown): value is Fields => typeof value === 'object' && value !== null && !Array.isArray(value);

/**
 * What versions before this form wrote: `Piton-Kind: stop`, a line each. They too wrote the name before the blank line, and looked for
 * the lines everywhere: only those behind it were theirs. Such checkpoints are read like this for as long as they exist.
 */
function parseTrailers(body: string): Fields {
  const value = (field: string) => new RegExp(`^Piton-${field}: (.*)$`, 'm').exec(body)?.[1] ?? null;
  const values = (field: string) => [...body.matchAll(new RegExp(`^Piton-${field}: (.*)$`, 'gm'))].map(([, json]) => parsed(json ?? ''));
  const work = value('Work');
  return {
    ...{ id: value('Id'), kind: value('Kind'), by: value('By'), session: value('Session'), agent: value('Agent'), turn: value('Turn') },
    ...(work === null ? {} : { work: work === '-' ? null : { session: work } }),
    ...{ branch: value('Branch'), worktree: value('Worktree'), before: value('Before'), commit: value('Commit') },
    ...{ verbatim: value('Verbatim') === 'yes', own: values('Own'), shared: values('Shared'), skipped: values('Skipped') },
  };
}

function textIn(fields: Fields, field: string): string | null {
  const value = fields[field];
  return typeof value === 'string' && value !== '' ? value : null;
}

const listIn = (fields: Fields, field: string): readonly unknown[] => {
  const value = fields[field];
  return Array.isArray(value) ? value : [];
};

/** Absent: it is the session's own. */
function workIn(fields: Fields, session: string | null, agent: string | null): { session: string | null; agent: string | null } {
  const { work } = fields;
  if (work === undefined) return { session, agent };
  return isFields(work) ? { session: textIn(work, 'session'), agent: textIn(work, 'agent') } : { session: null, agent: null };
}

function atIn(fields: Fields, id: string): Date {
  const at = new Date(textIn(fields, 'at') ?? Number.NaN);
  return Number.isNaN(at.getTime()) ? new Date(ulidTime(id)) : at;
}

/** A name that is no UTF-8 is an object with one character a byte: as text it would be another's. */
const writtenPath = (path: RawPath): string | { readonly bytes: RawPath } => (isUtf8(path) ? shownPath(path) : { bytes: path });

function pathIn(value: unknown): RawPath[] {
  const bytes = isFields(value) ? value['bytes'] : undefined;
  return typeof value === 'string' ? [rawPath(value)] : typeof bytes === 'string' ? [bytes] : [];
}

function skippedIn(value: unknown): Skipped[] {
  const listed = Array.isArray(value) ? value : isFields(value) ? [value['path'], value['reason'], value['bytes'], value['files']] : [];
  const [name, reason, bytes, files] = listed as readonly unknown[];
  const [path] = pathIn(name);
  if (path === undefined || typeof reason !== 'string') return [];
  // A later version may have reasons that this one does not know.
  const count = typeof files === 'number' ? { files } : {};
  return [{ path, reason: reason as Skipped['reason'], bytes: typeof bytes === 'number' ? bytes : 0, ...count }];
}
