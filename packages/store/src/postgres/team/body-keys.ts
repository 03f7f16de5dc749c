import { createCipheriv, createDecipheriv, randomBytes } from 'node:crypto';
import { TeamStoreError } from '../database/failure.ts';
import type { Tx } from '../database/pool.ts';

const NONCE = 12;
const TAG = 16;

/** Where a body is: it cannot be read as that of another record. */
interface Place {
  readonly tenant: string;
  readonly machine: string;
  readonly epoch: string;
  readonly seq: number;
}

/** Bodies are encrypted with a key for each person, and that key with the server's secret. Its row deleted, they are gone everywhere. */
export interface BodyKeys {
  /** Made with their first body. Undefined if they were deleted: there is no new one. */
  forWriting(tx: Tx, tenant: string, person: string): Promise<Buffer | undefined>;
  forReading(tx: Tx, tenant: string, person: string): Promise<Buffer | undefined>;
  seal(key: Uint8Array, body: string, place: Place): Buffer;
  unseal(key: Uint8Array, sealed: Uint8Array, place: Place): string;
}

export function bodyKeys(secret: Uint8Array): BodyKeys {
  if (secret.length !== 32) throw new TeamStoreError('invalid', 'the secret that wraps keys has to be 32 bytes');
  const read = async (tx: Tx, tenant: string, person: string): Promise<Buffer | undefined> => {
    const [row] = await tx.rows<{ key: Buffer }>('SELECT key FROM piton.person_keys WHERE tenant_id = $1 AND person_id = $2', [
      tenant,
      person,
    ]);
    return row === undefined ? undefined : open(secret, row.key, `${tenant} ${person}`);
  };
  return {
    forReading: read,
    async forWriting(tx, tenant, person) {
      const known = await read(tx, tenant, person);
      if (known !== undefined) return known;
      const wrapped = close(secret, randomBytes(32), `${tenant} ${person}`);
      await tx.rows(
        `INSERT INTO piton.person_keys (tenant_id, person_id, key) SELECT tenant_id, person_id, $3 FROM piton.people
        WHERE tenant_id = $1 AND person_id = $2 AND left_at IS NULL ON CONFLICT DO NOTHING`,
        [tenant, person, wrapped],
      );
      return read(tx, tenant, person);
    },
    seal: (key, body, place) => close(key, Buffer.from(body), nameOf(place)),
    unseal: (key, sealed, place) => open(key, sealed, nameOf(place)).toString(),
  };
}

const nameOf = ({ tenant, machine, epoch, seq }: Place): string => JSON.stringify([tenant, machine, epoch, seq]);

function close(key: Uint8Array, plain: Uint8Array, name: string): Buffer {
  const nonce = randomBytes(NONCE);
  const cipher = createCipheriv('aes-256-gcm', key, nonce).setAAD(Buffer.from(name));
  return Buffer.concat([nonce, cipher.update(plain), cipher.final(), cipher.getAuthTag()]);
}

function open(key: Uint8Array, sealed: Uint8Array, name: string): Buffer {
  const bytes = Buffer.from(sealed);
  try {
    const cipher = createDecipheriv('aes-256-gcm', key, bytes.subarray(0, NONCE)).setAAD(Buffer.from(name));
    cipher.setAuthTag(bytes.subarray(-TAG));
    return Buffer.concat([cipher.update(bytes.subarray(NONCE, -TAG)), cipher.final()]);
  } catch (error) {
    throw new TeamStoreError('failed', 'a body cannot be decrypted: another secret, or it was changed', { cause: error });
  }
}
