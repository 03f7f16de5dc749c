import { readFileSync } from 'node:fs';
import { Ajv2020 } from 'ajv/dist/2020.js';
import { describe, expect, it } from 'vitest';
import { teamBatchSchema } from '../src/schemas/schemas.ts';
import { machineSource, recordId, type TeamCloudEvent } from '../src/team/index.ts';

const ajv = new Ajv2020({ strict: true, formats: { 'date-time': true, ulid: true } });
const published = ajv.compile(JSON.parse(readFileSync(new URL('../schemas/team-batch.json', import.meta.url), 'utf8')));
const both = (batch: unknown): boolean[] => [teamBatchSchema.safeParse(batch).success, published(batch)];

const time = '2026-11-19T09:30:00.000Z';
const push: TeamCloudEvent = {
  specversion: '1.0',
  id: recordId('0b5c', 12),
  source: machineSource('01K9ZZZZZZZZZZZZZZZZZZZZZZ'),
  type: 'piton.push.v1',
  time,
  datacontenttype: 'application/json',
  pitonchange: '12',
  data: {
    id: '01K9',
    at: time,
    repository: { id: 'example.com/team/project', name: 'project' },
    ref: 'refs/heads/main',
    oldSha: 'a'.repeat(40),
    newSha: 'b'.repeat(64),
    commits: [],
  },
};

describe('a batch of a team', () => {
  it('is an array of CloudEvents, none at all included', () => {
    expect(both([])).toEqual([true, true]);
    expect(both([push])).toEqual([true, true]);
    expect(both(Array.from({ length: 500 }, () => push))).toEqual([true, true]);
  });

  it.each([
    ['501 records', Array.from({ length: 501 }, () => push)],
    ['one record alone', push],
    ['a record of an unknown type', [{ ...push, type: 'piton.push.v2' }]],
    ['the data of another type', [{ ...push, type: 'piton.event.v1' }]],
    ['a field that nobody agreed to', [{ ...push, data: { ...push.data, url: 'https://example.com' } }]],
    ['a number of a change that is none', [{ ...push, pitonchange: '1; DROP TABLE' }]],
    ['a source that is no machine', [{ ...push, source: 'https://example.com' }]],
    ['an id without its store', [{ ...push, id: '12' }]],
    ['another version of CloudEvents', [{ ...push, specversion: '2.0' }]],
  ])('is not %s', (_, batch) => expect(both(batch)).toEqual([false, false]));
});
