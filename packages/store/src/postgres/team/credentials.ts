import { createHash, randomBytes, randomUUID, timingSafeEqual } from 'node:crypto';
import { isUuid, type Tx } from '../database/pool.ts';
import type { Identity, NewToken, Role, TokenSummary } from './people.ts';

/** A credential names its tenant, so that it is looked up as that tenant. The secret is 256 random bits: a plain hash is enough. */
export interface Credential {
  readonly tenant: string;
  readonly id: string;
  readonly hash: Buffer;
}
type Prefix = 'piton-token' | 'piton-join';

const hashOf = (secret: string): Buffer => createHash('sha256').update(secret).digest();
const bare = (uuid: string): string => uuid.replaceAll('-', '');
const uuidOf = (hex: string): string => hex.replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5');

export function newCredential(prefix: Prefix, tenant: string): Credential & { readonly text: string } {
  const id = randomUUID();
  const secret = randomBytes(32).toString('base64url');
  return { tenant, id, hash: hashOf(secret), text: `${prefix}.${bare(tenant)}.${bare(id)}.${secret}` };
}

export function parseCredential(prefix: Prefix, text: string): Credential | undefined {
  const [named, tenantHex = '', idHex = '', secret = '', ...more] = text.length > 300 ? [] : text.split('.');
  const tenant = uuidOf(tenantHex);
  const id = uuidOf(idHex);
  if (named !== prefix || more.length > 0 || secret.length < 40 || !isUuid(tenant) || !isUuid(id)) return undefined;
  return { tenant, id, hash: hashOf(secret) };
}

export async function issueToken(tx: Tx, tenant: string, token: NewToken): Promise<{ readonly id: string; readonly token: string }> {
  const { id, hash, text } = newCredential('piton-token', tenant);
  const of = { machine: null, person: null, name: null, role: null, ...token };
  await tx.rows(
    `INSERT INTO piton.tokens (tenant_id, token_id, hash, kind, machine_id, person_id, name, role, expires_at)
     VALUES ($1, $2, $3, $4, $5, $6, $7, $8, now() + $9 * interval '1 second')`,
    [tenant, id, hash, of.kind, of.machine, of.person, of.name, of.role, of.seconds],
  );
  return { id, token: text };
}

interface TokenRow {
  readonly kind: NewToken['kind'];
  readonly hash: Buffer;
  readonly name: string | null;
  readonly tokenRole: Role | null;
  readonly machine: string | null;
  readonly person: string | null;
  readonly role: Role | null;
  readonly pseudonym: string | null;
}

export async function identityOf(tx: Tx, { tenant, id, hash }: Credential): Promise<Identity | undefined> {
  const [row] = await tx.rows<TokenRow>(
    `SELECT t.kind, t.hash, t.name, t.role AS "tokenRole", t.machine_id AS machine, p.person_id AS person, p.role, p.pseudonym
     FROM piton.tokens t LEFT JOIN piton.machines m ON m.tenant_id = t.tenant_id AND m.machine_id = t.machine_id
       LEFT JOIN piton.people p ON p.tenant_id = t.tenant_id AND p.person_id = coalesce(t.person_id, m.person_id)
     WHERE t.tenant_id = $1 AND t.token_id = $2 AND t.revoked_at IS NULL AND t.expires_at > now() AND m.left_at IS NULL AND p.left_at IS NULL`,
    [tenant, id],
  );
  if (row === undefined || !timingSafeEqual(row.hash, hash)) return undefined;
  const { kind, machine, person, role, pseudonym, tokenRole, name } = row;
  switch (kind) {
    case 'machine':
      return machine === null || person === null ? undefined : { kind, tenant, machine, person };
    case 'person':
      return person === null || role === null || pseudonym === null ? undefined : { kind, tenant, person, role, pseudonym };
    case 'ci':
      return tokenRole === null ? undefined : { kind, tenant, token: id, role: tokenRole, name: name ?? '' };
  }
}

export const revokeToken = (tx: Tx, tenant: string, id: string) =>
  tx.rows('UPDATE piton.tokens SET revoked_at = coalesce(revoked_at, now()) WHERE tenant_id = $1 AND token_id = $2', [tenant, id]);

export const listTokens = (tx: Tx, tenant: string): Promise<TokenSummary[]> =>
  tx.rows<TokenSummary>(
    `SELECT token_id AS id, kind, name, role, created_at AS "createdAt", expires_at AS "expiresAt", revoked_at AS "revokedAt"
     FROM piton.tokens WHERE tenant_id = $1 ORDER BY created_at DESC, token_id LIMIT 1000`,
    [tenant],
  );

export async function makeJoinCode(
  tx: Tx,
  tenant: string,
  { person, seconds }: { readonly person: string; readonly seconds: number },
): Promise<string> {
  const { id, hash, text } = newCredential('piton-join', tenant);
  await tx.rows(
    `INSERT INTO piton.join_codes (tenant_id, code_id, hash, person_id, expires_at) VALUES ($1, $2, $3, $4, now() + $5 * interval '1 second')`,
    [tenant, id, hash, person, seconds],
  );
  return text;
}

/** Of two who use it at once the second waits for the first, and finds it used. */
export async function useJoinCode(tx: Tx, { tenant, id, hash }: Credential): Promise<string | undefined> {
  const [row] = await tx.rows<{ person: string }>(
    `UPDATE piton.join_codes c SET used_at = now() FROM piton.people p
     WHERE c.tenant_id = $1 AND c.code_id = $2 AND c.hash = $3 AND c.used_at IS NULL AND c.expires_at > now()
       AND p.tenant_id = c.tenant_id AND p.person_id = c.person_id AND p.left_at IS NULL RETURNING c.person_id AS person`,
    [tenant, id, hash],
  );
  return row?.person;
}
