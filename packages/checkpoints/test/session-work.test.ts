import { expect, it } from 'vitest';
import { Works } from '../src/turns/session-work.ts';

const [first, second] = [
  { turn: 't1', prompt: 'one' },
  { turn: 't2', prompt: 'two' },
];

it('what ends keeps what was known of it, whatever the next turn touches', () => {
  const works = new Works();
  works.begins('key', first).now.touched.add('/a');
  const ended = works.ends('key', first);
  works.begins('key', second).now.touched.add('/b');
  expect([ended.turn, [...ended.touched]]).toEqual(['t1', ['/a']]);
  expect([...works.of('key').now.touched]).toEqual(['/b']);
});

it('what a turn touches after an end that a hook refused is for its next end', () => {
  const works = new Works();
  works.begins('key', first).now.touched.add('/a');
  const refused = works.ends('key', first);
  works.of('key').now.touched.add('/b');
  expect([[...refused.touched], [...works.ends('key', first).touched]]).toEqual([['/a'], ['/b']]);
});

it('a session that is asked again before its end was dealt with is not forgotten', () => {
  const works = new Works();
  works.begins('key', first);
  const over = works.ends('key', first);
  const again = works.begins('key', second);
  works.drop('key', over);
  expect(works.of('key')).toBe(again);
  works.drop('key', again.now);
  expect(works.of('key')).not.toBe(again);
});
