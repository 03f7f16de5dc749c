import { appendFileSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createRedactor } from '@piton/redact';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { ProblemLog } from '../../src/process/problem-log.ts';

const redactor = createRedactor({ key: Buffer.alloc(32, 7) });
const text = (of: string) => redactor.text(of);
const HOUR_MS = 3_600_000;

let logs: string;
beforeEach(() => {
  logs = mkdtempSync(join(tmpdir(), 'piton-problems-'));
});
afterEach(() => rmSync(logs, { recursive: true, force: true }));

const server = () => new ProblemLog(logs, text);
const seen = () => server().list.map(({ what }) => what);
const write = (line: object | string) =>
  appendFileSync(join(logs, 'troubles.log'), `${typeof line === 'string' ? line : JSON.stringify(line)}\n`);
const noteFrom = (hoursAgo: number, what: string) =>
  write({ at: new Date(Date.now() - hoursAgo * HOUR_MS).toISOString(), what, remedy: 'r', kind: 'note' });

describe('after a restart', () => {
  it('notes are still listed, newest first, but problems of a server that has ended are not', () => {
    const first = server();
    first.add(text('skipped once'), text('commit it yourself'), 'note');
    first.add(text('the store is busy'), text('wait'));
    first.add(text('skipped twice'), text('commit it yourself'), 'note');
    expect(server().list).toEqual(first.list.filter(({ kind }) => kind === 'note'));
    expect(seen()).toEqual(['skipped twice', 'skipped once']);
  });

  it('a note is listed once, and expires', () => {
    noteFrom(200, 'long ago');
    noteFrom(9, 'this week');
    noteFrom(5, 'this week');
    noteFrom(1, 'today');
    expect(seen()).toEqual(['today', 'this week']);
  });

  it('intact lines of a damaged log are still listed', () => {
    write('{ "at": "oops');
    write('null');
    write({ at: 1, what: 2, kind: 'note' });
    noteFrom(1, 'whole');
    expect(seen()).toEqual(['whole']);
  });

  it('the list is bounded', () => {
    for (let at = 0; at < 80; at++) noteFrom(1, `note ${at}`);
    expect(seen()).toHaveLength(50);
    expect(seen()[0]).toBe('note 79');
  });
});
