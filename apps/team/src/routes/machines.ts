import type { TeamInventory, TeamJoin, TeamTokenAsked } from '@piton/contracts/team';
import type { Identity } from '@piton/store/team';
import { type Answer, json, NOTHING, refused } from '../answer.ts';
import { isSigned, readPublicKey } from '../challenge.ts';
import { inventoryForm, joinForm, tokenForm } from '../forms.ts';
import { describeMachines } from '../machine-list.ts';
import type { RouteInput } from '../routes.ts';

const TOKEN_SECONDS = 15 * 60;
const NO_MACHINE = 'this machine is not known here, or has left';

export async function answerJoin({ body, store }: RouteInput): Promise<Answer> {
  const given = joinForm(body);
  if (!given.ok) return refused('bad-request', given.error);
  const { code, key, name, platform, piton, bodies }: TeamJoin = given.value;
  const publicKey = readPublicKey(key);
  // Before the code is used up.
  if (publicKey === undefined) return refused('bad-request', 'key: not an Ed25519 key');
  const joined = await store.join(code, { name, publicKey, os: platform, pitonVersion: piton });
  if (joined === undefined) return refused('code', 'this code is unknown, used or too old');
  const tenant = store.tenant(joined.tenant);
  if (bodies) await tenant.changeConsent(joined.person, true);
  const settings = await tenant.settings();
  return json({ machine: joined.machine, tenant: { id: joined.tenant, name: settings.name }, bodies: settings.bodies });
}

/** The same for a machine that there is not: nobody learns by it which there are. */
export async function answerChallenge({ body, challenges }: RouteInput): Promise<Answer> {
  const given = tokenForm(body);
  return given.ok ? json({ challenge: challenges.issue(given.value.tenant, given.value.machine) }) : refused('bad-request', given.error);
}

export async function answerToken({ body, store, challenges }: RouteInput): Promise<Answer> {
  const given = tokenForm(body);
  if (!given.ok) return refused('bad-request', given.error);
  const asked: TeamTokenAsked = given.value;
  if (!challenges.isOurs(asked.challenge, asked.tenant, asked.machine)) return refused('token', 'this challenge is too old, or not ours');
  const tenant = store.tenant(asked.tenant);
  const machine = await tenant.machine(asked.machine);
  if (machine === undefined || machine.leftAt !== null || !isSigned(machine.publicKey, asked)) return refused('machine', NO_MACHINE);
  const { token } = await tenant.issueToken({ kind: 'machine', machine: machine.id, seconds: TOKEN_SECONDS });
  const { name, bodies } = await tenant.settings();
  return json({ token, seconds: TOKEN_SECONDS, tenant: { id: asked.tenant, name }, bodies });
}

type MachineIdentity = Extract<Identity, { kind: 'machine' }>;

export async function answerInventory({ body, store }: RouteInput, { tenant, machine }: MachineIdentity): Promise<Answer> {
  const given = inventoryForm(body);
  if (!given.ok) return refused('bad-request', given.error);
  const inventory: TeamInventory = given.value;
  const canary = Object.fromEntries(inventory.agents.map(({ agent, canaryAt }) => [agent, canaryAt]));
  await store.tenant(tenant).report(machine, { pitonVersion: inventory.piton, inventory: { ...inventory }, canary });
  return NOTHING;
}

export async function answerLeave({ store }: RouteInput, { tenant, machine }: MachineIdentity): Promise<Answer> {
  await store.tenant(tenant).machineLeft(machine);
  return NOTHING;
}

/** For admins and auditors; machines and members have no business with other machines. */
export async function answerMachines({ store, query, now }: RouteInput, identity: Identity): Promise<Answer> {
  if (identity.kind === 'machine' || identity.role === 'member') return refused('machine', 'this is for admins and auditors');
  const silentHours = Number(query.get('silent-hours') ?? 24);
  if (!(silentHours > 0)) return refused('bad-request', 'silent-hours has to be a number above 0');
  const viewer = { person: identity.kind === 'person' ? identity.person : null, role: identity.role };
  return json({ machines: await describeMachines(store.tenant(identity.tenant), viewer, { silentHours, now: new Date(now()) }) });
}
