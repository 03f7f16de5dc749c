import { createHmac, createPublicKey, hkdfSync, randomBytes, timingSafeEqual, verify } from 'node:crypto';
import { challengeText } from '@piton/contracts/team';

const GOOD_MS = 60_000;

/** Challenges that no replica has to remember: each can check what another one gave. */
export interface Challenges {
  issue(tenant: string, machine: string): string;
  isOurs(challenge: string, tenant: string, machine: string): boolean;
}

export function createChallenges(secret: Uint8Array, now: () => number): Challenges {
  const key = Buffer.from(hkdfSync('sha256', secret, '', 'piton team challenge', 32));
  const sealOf = (tenant: string, machine: string, until: string, nonce: string): Buffer =>
    createHmac('sha256', key)
      .update(JSON.stringify([tenant, machine, until, nonce]))
      .digest();
  return {
    issue(tenant, machine) {
      const [until, nonce] = [String(now() + GOOD_MS), randomBytes(16).toString('base64url')];
      return [until, nonce, sealOf(tenant, machine, until, nonce).toString('base64url')].join('.');
    },
    isOurs(challenge, tenant, machine) {
      const [until = '', nonce = '', seal = '', ...rest] = challenge.split('.');
      const given = Buffer.from(seal, 'base64url');
      const right = sealOf(tenant, machine, until, nonce);
      return rest.length === 0 && given.length === right.length && timingSafeEqual(given, right) && Number(until) >= now();
    },
  };
}

/** An Ed25519 key as PEM; undefined if it is none. */
export function readPublicKey(der: string): string | undefined {
  try {
    const key = createPublicKey({ key: Buffer.from(der, 'base64'), format: 'der', type: 'spki' });
    return key.asymmetricKeyType === 'ed25519' ? (key.export({ type: 'spki', format: 'pem' }) as string) : undefined;
  } catch {
    return undefined;
  }
}

export function isSigned(
  publicKey: string,
  asked: { readonly tenant: string; readonly machine: string; readonly challenge: string; readonly signature: string },
): boolean {
  try {
    return verify(null, Buffer.from(challengeText(asked)), publicKey, Buffer.from(asked.signature, 'base64'));
  } catch {
    return false;
  }
}
