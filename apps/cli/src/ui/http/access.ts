import { createHash, randomBytes, timingSafeEqual } from 'node:crypto';

const CODE_MS = 60_000;
/** Of one run. A browser takes one, a second one takes another. */
const MAX_TOKENS = 32;

/** Who may read. Every code is good for a minute, and for one token. */
export interface Access {
  /** For the fragment of a link. `own`: for a process of this user only, since others may have seen it. */
  issueCode(own?: boolean): string;
  /** The token that a code buys; undefined if it is unknown, old or used, or not for who asks. */
  redeem(code: string, isOwn: () => boolean): string | undefined;
  holds(token: string): boolean;
}

const digestOf = (text: string): Buffer => createHash('sha256').update(text).digest();
/** 256 bits, as 43 characters. */
const secret = (): string => randomBytes(32).toString('base64url');

/** Only digests are compared, all of them, each in constant time. */
export function createAccess(now: () => number): Access {
  let codes: { readonly digest: Buffer; readonly until: number; readonly own: boolean }[] = [];
  let tokens: Buffer[] = [];
  const isIn = (digests: readonly Buffer[], text: string): boolean => {
    const given = digestOf(text);
    return digests.map((digest) => timingSafeEqual(digest, given)).includes(true);
  };
  return {
    issueCode(own = false) {
      const code = secret();
      codes = [...codes.filter(({ until }) => until > now()), { digest: digestOf(code), until: now() + CODE_MS, own }];
      return code;
    },
    redeem(code, isOwn) {
      codes = codes.filter(({ until }) => until > now());
      const given = digestOf(code);
      const [found] = codes.map((one) => ({ one, same: timingSafeEqual(one.digest, given) })).filter(({ same }) => same);
      // It stays good for whom it is meant.
      if (found === undefined || (found.one.own && !isOwn())) return undefined;
      codes = codes.filter((one) => one !== found.one);
      const token = secret();
      tokens = [...tokens, digestOf(token)].slice(-MAX_TOKENS);
      return token;
    },
    holds: (token) => isIn(tokens, token),
  };
}
