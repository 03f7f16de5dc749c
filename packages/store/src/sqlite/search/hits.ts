import { countWords, excerpt } from '../../excerpt.ts';
import type { SearchHit, SearchPlace } from '../../search-query.ts';
import type { EventHeader } from '../../stored-events.ts';
import type { Row, Sql } from '../database/driver.ts';
import { HEADER_SELECT, headerOf } from '../event-row.ts';
import { readText } from '../pieces.ts';

export function eventHit(sql: Sql, seq: number, words: readonly string[]): SearchHit {
  const event = headerOf(sql.get(`${HEADER_SELECT} WHERE e.seq = ?`, seq) as Row);
  const text = sql.get('SELECT text FROM events WHERE seq = ?', seq)?.text as string | null;
  const { place, found } = bestPlace(event, text, words);
  const { session, agent, repo, branch, projectPath, wallUs } = event;
  return { event, place, excerpt: excerpt(found, words), session, agent, repo, branch, projectPath, wallUs };
}

function bestPlace(
  event: EventHeader,
  text: string | null,
  words: readonly string[],
): { readonly place: SearchPlace; readonly found: string } {
  const places: readonly (readonly [SearchPlace, string | null])[] = [
    ['prompt', event.prompt],
    ['command', event.tool?.command ?? null],
    ['path', event.tool?.files.join('\n') ?? null],
    [event.names.includes('stop') || event.names.includes('subagent_stop') ? 'answer' : 'text', text],
  ];
  const [best] = places
    .filter((one): one is readonly [SearchPlace, string] => one[1] !== null && one[1] !== '')
    .map(([place, found]) => ({ place, found, count: countWords(found, words) }))
    .sort((a, b) => b.count - a.count);
  return best ?? { place: 'text', found: '' };
}

export function answerHit(sql: Sql, seq: number, words: readonly string[]): SearchHit {
  const row = sql.get(
    `SELECT a.text, a.piece, a.at, a.recorded_us, e.id, e.agent, e.repo, e.branch, e.project_path FROM transcript_entries a
     JOIN transcripts t ON t.id = a.transcript_id JOIN sessions e ON e.id = t.session_id WHERE a.seq = ?`,
    seq,
  ) as Row;
  const at = Date.parse((row.at as string | null) ?? '');
  return {
    event: null,
    place: 'answer',
    excerpt: excerpt(readText(sql, row) ?? '', words),
    session: row.id as string,
    agent: row.agent as string,
    repo: row.repo as string | null,
    branch: row.branch as string | null,
    projectPath: row.project_path as string,
    wallUs: Number.isNaN(at) ? (row.recorded_us as number) : at * 1000,
  };
}

/**
 * A call is an event before and after it, and the last answer of a turn is in its stop event and in the transcript: each is one hit.
 * An event goes first, for it has an id that can be shown.
 */
export function withoutRepeats<T extends SearchHit>(hits: readonly T[]): T[] {
  const keyOf = ({ session, place, excerpt: text }: SearchHit): string => JSON.stringify([session, place, text]);
  const ofEvents = new Set(hits.filter(({ event }) => event !== null).map(keyOf));
  const shown = new Set<string>();
  return hits.filter((hit) => {
    const key = keyOf(hit);
    if (shown.has(key) || (hit.event === null && ofEvents.has(key))) return false;
    shown.add(key);
    return true;
  });
}
