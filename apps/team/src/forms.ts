import { teamBatchSchema, teamInventorySchema } from '@piton/contracts/schemas';
import type { TeamCloudEvent, TeamConsent, TeamInventory, TeamJoin, TeamTokenAsked } from '@piton/contracts/team';

/** What came, as it should be, or what is wrong with it. No value of it is said again: it may be a secret. */
export type Form<T> = { readonly ok: true; readonly value: T } | { readonly ok: false; readonly error: string };

interface Schema<T> {
  safeParse(value: unknown):
    | { readonly success: true; readonly data: T }
    | {
        readonly success: false;
        readonly error: { readonly issues: readonly { readonly path: readonly PropertyKey[]; readonly code?: string }[] };
      };
}

function read<T>(schema: Schema<T>, value: unknown): Form<T> {
  const parsed = schema.safeParse(value);
  if (parsed.success) return { ok: true, value: parsed.data };
  const places = parsed.error.issues
    .slice(0, 3)
    .map(({ path, code }) => `${path.map(String).join('.') || 'the whole'}: ${code ?? 'wrong'}`);
  return { ok: false, error: places.join('; ').slice(0, 300) };
}

export const batchForm = (value: unknown): Form<readonly TeamCloudEvent[]> =>
  read(teamBatchSchema as Schema<readonly TeamCloudEvent[]>, value);
export const inventoryForm = (value: unknown): Form<TeamInventory> => read(teamInventorySchema as Schema<TeamInventory>, value);

type Fields = Readonly<Record<string, unknown>>;
const fieldsOf = (value: unknown): Fields =>
  typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as Fields) : {};
const isText = (value: unknown, most: number): value is string =>
  typeof value === 'string' && value !== '' && value.length <= most && !value.includes('\0');

function texts<T>(value: unknown, most: Readonly<Record<string, number>>): Form<T> {
  const fields = fieldsOf(value);
  const wrong = Object.entries(most).find(([name, length]) => !isText(fields[name], length));
  return wrong === undefined
    ? { ok: true, value: fields as T }
    : { ok: false, error: `${wrong[0]}: a text of at most ${wrong[1]} characters` };
}

export function joinForm(value: unknown): Form<TeamJoin> {
  const form = texts<TeamJoin>(value, { code: 500, key: 200, name: 200, platform: 100, piton: 50 });
  return form.ok && typeof form.value.bodies !== 'boolean' ? { ok: false, error: 'bodies: true or false' } : form;
}

export const consentForm = (value: unknown): Form<TeamConsent> => {
  const { bodies } = fieldsOf(value);
  return typeof bodies === 'boolean' ? { ok: true, value: { bodies } } : { ok: false, error: 'bodies: true or false' };
};

/** Of a challenge, which has no signature yet, and of a token. */
export function tokenForm(value: unknown): Form<TeamTokenAsked> {
  const form = texts<TeamTokenAsked>(value, { tenant: 100, machine: 100 });
  if (!form.ok) return form;
  const { challenge = '', signature = '' } = form.value;
  return typeof challenge === 'string' && typeof signature === 'string' && challenge.length < 1000 && signature.length < 1000
    ? { ok: true, value: { ...form.value, challenge, signature } }
    : { ok: false, error: 'challenge and signature: texts' };
}
