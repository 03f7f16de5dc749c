import { describe, expect, it } from 'vitest';
import { type Item, type Key, parsePicks, press, type Selection } from '../src/selection/state.ts';

const item = (id: string, picked: boolean): Item => ({ id, title: id, detail: '', picked });
const ITEMS = [item('one', true), item('two', true), item('three', false)];
const after = (...keys: Key[]): Selection => keys.reduce<Selection>(press, { items: ITEMS, at: 0 });
const picks = (...keys: Key[]): string[] =>
  after(...keys)
    .items.filter(({ picked }) => picked)
    .map(({ id }) => id);

describe('a selection', () => {
  it.each<[readonly Key[], readonly string[]]>([
    [[], ['one', 'two']],
    [['toggle'], ['two']],
    [
      ['toggle', 'toggle'],
      ['one', 'two'],
    ],
    [
      ['down', 'toggle', 'down', 'toggle'],
      ['one', 'three'],
    ],
    [
      ['up', 'toggle'],
      ['one', 'two', 'three'],
    ],
    [['down', 'down', 'down', 'toggle'], ['two']],
    [['all'], ['one', 'two', 'three']],
    [['all', 'all'], []],
  ])('%j', (keys, expected) => expect(picks(...keys)).toEqual(expected));

  it('leaves what it was given as it is', () => {
    after('toggle', 'all');
    expect(ITEMS.map(({ picked }) => picked)).toEqual([true, true, false]);
  });
});

describe('a line of picks', () => {
  it.each([
    ['', ['one', 'two']],
    ['  ', ['one', 'two']],
    ['3', ['three']],
    ['3,1', ['one', 'three']],
    ['1 three', ['one', 'three']],
    ['Two', ['two']],
    ['1,1', ['one']],
    ['all', ['one', 'two', 'three']],
    ['none', []],
  ])('%j', (line, picked) => expect(parsePicks(ITEMS, line)).toEqual({ picked }));

  it.each([
    ['4', '4'],
    ['0', '0'],
    ['1,x', 'x'],
    ['-1', '-1'],
  ])('%j names nothing', (line, unknown) => expect(parsePicks(ITEMS, line)).toEqual({ unknown }));
});
