import type { Migration } from '../migrate.ts';

/** Without a copy of the text: an excerpt is made from the row itself, and what is dropped there by age is gone from here too. */
const index = (name: string): string =>
  `CREATE VIRTUAL TABLE ${name} USING fts5(text, content = '', contentless_delete = 1, tokenize = 'unicode61 remove_diacritics 2')`;

const numbered = (kind: string, ref: string): string =>
  `DELETE FROM changes WHERE kind = '${kind}' AND ref = +NEW.${ref}; INSERT INTO changes (kind, ref) VALUES ('${kind}', NEW.${ref});`;

/**
 * The triggers of 006 compared a column of any type with a number or text. SQLite converts the former for that, and an index does not
 * help then: every insert read the numbers of all events. A `+` takes the type away.
 */
const numberedByIndex = (table: string, kind: string, ref: string): string[] =>
  [
    [`${table}_are_numbered`, 'INSERT'],
    [`${table}_are_numbered_again`, 'UPDATE'],
  ].flatMap(([name, when]) => [
    `DROP TRIGGER ${name}`,
    `CREATE TRIGGER ${name} AFTER ${when} ON ${table} BEGIN ${numbered(kind, ref)} END`,
  ]);

/**
 * Search also finds what agents answered and reported: the texts of events, and the answers in transcripts.
 *
 * Nothing is indexed here: a million rows take a while, and a server that starts has to answer. All events are indexed again later,
 * in small batches. The triggers note what changed in a row that was indexed before, so that no writer can forget it.
 */
export const SEARCH: Migration = {
  name: '008-search',
  statements: [
    ...numberedByIndex('events', 'event', 'seq'),
    ...numberedByIndex('sessions', 'session', 'id'),
    ...numberedByIndex('observations', 'observation', 'id'),
    ...numberedByIndex('own_events', 'piton-event', 'seq'),
    ...numberedByIndex('pushes', 'push', 'seq'),
    ...numberedByIndex('transcripts', 'transcript', 'id'),
    index('search_texts'),
    index('search_answers'),
    `UPDATE search_progress SET seq = 0`,
    `CREATE TABLE answer_progress (only INTEGER PRIMARY KEY CHECK (only = 1), seq INTEGER NOT NULL) STRICT`,
    `INSERT INTO answer_progress VALUES (1, 0)`,
    `CREATE TABLE answers_again (seq INTEGER PRIMARY KEY) STRICT`,
    `CREATE TRIGGER changed_texts_are_indexed_again AFTER UPDATE OF text ON events WHEN NEW.text IS NOT OLD.text
     BEGIN INSERT INTO search_again SELECT NEW.seq WHERE NOT EXISTS (SELECT 1 FROM search_again WHERE seq = NEW.seq); END`,
    `CREATE TRIGGER changed_answers_are_indexed_again AFTER UPDATE OF text, piece ON transcript_entries
     WHEN NEW.kind = 'answer' AND (NEW.text IS NOT OLD.text OR NEW.piece IS NOT OLD.piece)
     BEGIN INSERT INTO answers_again SELECT NEW.seq WHERE NOT EXISTS (SELECT 1 FROM answers_again WHERE seq = NEW.seq); END`,
  ],
};
