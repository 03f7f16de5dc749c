import { createHash, randomBytes, timingSafeEqual } from 'node:crypto';

const CODE_MS = 60_000;
/** Of one run. A browser takes one, a second one takes another. */
const MAX_TOKENS = 32;

/** Who may read. Every code is good for a minute, and for one token. */
export interface Access {
  /** For the fragment of a link. */
  issueCode(): string;
  /** The token that a code buys; undefined if it is unknown, old or used. */
  redeem(code: string): string | undefined;
  holds(token: string): boolean;
}

const digestOf = (text: string): Buffer => createHash('sha256').update(text).digest();
/** 256 bits, as 43 characters. */
const secret = (): string => randomBytes(32).toString('base64url');

/** Only digests are compared, all of them, each in constant time. */
export function createAccess(now: () => number): Access {
  let codes: { readonly digest: Buffer; readonly until: number }[] = [];
  let tokens: Buffer[] = [];
  const isIn = (digests: readonly Buffer[], text: string): boolean => {
    const given = digestOf(text);
    return digests.map((digest) => timingSafeEqual(digest, given)).includes(true);
  };
  return {
    issueCode() {
      const code = secret();
      codes = [...codes.filter(({ until }) => until > now()), { digest: digestOf(code), until: now() + CODE_MS }];
      return code;
    },
    redeem(code) {
      codes = codes.filter(({ until }) => until > now());
      if (
        !isIn(
          codes.map(({ digest }) => digest),
          code,
        )
      )
        return undefined;
      const used = digestOf(code);
      codes = codes.filter(({ digest }) => !timingSafeEqual(digest, used));
      const token = secret();
      tokens = [...tokens, digestOf(token)].slice(-MAX_TOKENS);
      return token;
    },
    holds: (token) => isIn(tokens, token),
  };
}
