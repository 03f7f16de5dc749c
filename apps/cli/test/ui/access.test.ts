import { expect, it } from 'vitest';
import { createAccess } from '../../src/ui/http/access.ts';

const isOwn = (): boolean => true;

const at = (start = 0) => {
  let now = start;
  return {
    access: createAccess(() => now),
    wait(ms: number) {
      now += ms;
    },
  };
};

it('a code is good for a minute', () => {
  const { access, wait } = at();
  const [early, late] = [access.issueCode(), access.issueCode()];
  wait(59_999);
  const token = access.redeem(early, isOwn);
  expect(token).toBeDefined();
  wait(1);
  expect(access.redeem(late, isOwn)).toBeUndefined();
  expect(access.holds(token ?? '')).toBe(true);
});

it('a code is good once, and no token is a code or the other way round', () => {
  const { access } = at();
  const code = access.issueCode();
  const token = access.redeem(code, isOwn) ?? '';
  expect(access.redeem(code, isOwn)).toBeUndefined();
  expect(access.redeem(token, isOwn)).toBeUndefined();
  expect([access.holds(token), access.holds(code), access.holds('')]).toEqual([true, false, false]);
});

it('each browser has a token of its own, and the oldest goes when there are too many', () => {
  const { access } = at();
  const tokens = Array.from({ length: 33 }, () => access.redeem(access.issueCode(), isOwn) ?? '');
  expect(new Set(tokens).size).toBe(33);
  expect(tokens.map((token) => access.holds(token))).toEqual([false, ...tokens.slice(1).map(() => true)]);
});

it('codes and tokens have 256 bits', () => {
  const { access } = at();
  const code = access.issueCode();
  expect(Buffer.from(code, 'base64url')).toHaveLength(32);
  expect(Buffer.from(access.redeem(code, isOwn) ?? '', 'base64url')).toHaveLength(32);
});

it('a code for this user alone is of no use to others, and stays good', () => {
  const { access } = at();
  const [own, any] = [access.issueCode(true), access.issueCode()];
  expect(access.redeem(own, () => false)).toBeUndefined();
  expect(access.redeem(own, isOwn)).toBeDefined();
  expect(access.redeem(own, isOwn)).toBeUndefined();
  expect(access.redeem(any, () => false)).toBeDefined();
});
