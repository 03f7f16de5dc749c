import { describe, expect, it } from 'vitest';
import { Failure } from '../../src/failure.ts';
import { checkpointsNamed, chooseCheckpoint, turnNamed } from '../../src/ids/checkpoint.ts';
import { stepsBack } from '../../src/ids/latest.ts';
import { shortIdsOf } from '../../src/ids/unique-prefix.ts';

const one = (id: string, turn: string | null = null) => ({ id: id.padEnd(26, '0'), turn: turn?.padEnd(26, '0') ?? null, name: `of ${id}` });
const ALL = [one('01M7GEHWTJ1', '01M7GEHV'), one('01M7GEHWTJ2', '01M7GEHV'), one('01M7GEHZZZ', '01M7GEHX'), one('01M7GF0000ABCDEFGH99')];

const chosen = (ref: string): string => {
  try {
    return chooseCheckpoint(ALL, ref).name ?? '';
  } catch (error) {
    return error instanceof Failure ? [error.message, ...error.list].join(' ') : String(error);
  }
};

describe('what names a checkpoint', () => {
  it('is @ for the latest, and so many before it', () => {
    expect(['@', '@~', '@~0', '@~12', 'HEAD', '@{1}', '@~x', '~2', ''].map(stepsBack)).toEqual([
      0,
      1,
      0,
      12,
      ...Array.from({ length: 5 }, () => undefined),
    ]);
    expect([chosen('@'), chosen('@~'), chosen('@~3')]).toEqual(['of 01M7GF0000ABCDEFGH99', 'of 01M7GEHZZZ', 'of 01M7GEHWTJ1']);
    expect(chosen('@~4')).toContain('no checkpoint "@~4"');
  });

  it('is its ID or a prefix that only one has, in any case', () => {
    expect(chosen('01M7GEHZ')).toBe('of 01M7GEHZZZ');
    expect(chosen('01m7gehwtj2')).toBe('of 01M7GEHWTJ2');
    expect(chosen(ALL[0]?.id ?? '')).toBe('of 01M7GEHWTJ1');
  });

  it('names the candidates if several have it', () => {
    const said = chosen('01M7GEHW');
    expect(said).toContain('matches more than one checkpoint');
    for (const { id } of ALL.slice(0, 2)) expect(said).toContain(id);
    expect(said).not.toContain(ALL[2]?.id);
  });

  it('is a turn, whose last it is', () => {
    expect(chosen('01M7GEHV')).toBe('of 01M7GEHWTJ2');
    expect(['01m7gehv', '01M7GEHX0', '01M7GEHW', '01M7GEH', '01M7G', 'main'].map((ref) => turnNamed(ALL, ref))).toEqual([
      '01M7GEHV'.padEnd(26, '0'),
      '01M7GEHX'.padEnd(26, '0'),
      ...Array.from({ length: 4 }, () => undefined),
    ]);
  });

  it('is the end of an ID, as older versions showed it, if it is the beginning of none', () =>
    expect(chosen(ALL[3]?.id.slice(-10) ?? '')).toBe('of 01M7GF0000ABCDEFGH99'));

  it('is nothing that is too short, and no other text', () => {
    for (const ref of ['01M7G', '', 'main', 'feature/x', '%', '../x']) expect(checkpointsNamed(ALL, ref)).toEqual([]);
    expect(chosen('01')).toContain('no checkpoint "01"');
  });

  it('is shown as the shortest prefix that only it has', () => {
    const short = shortIdsOf(ALL.map(({ id }) => id));
    expect([...short.values()]).toEqual(['01M7GEHWTJ1', '01M7GEHWTJ2', '01M7GEHZ', '01M7GF00']);
    for (const { id, name } of ALL) expect(chosen(short.get(id) ?? '')).toBe(name);
  });
});
