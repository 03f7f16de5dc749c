import type { TeamInventory, TeamJoin, TeamTokenAsked } from '@piton/contracts/team';
import type { Identity } from '@piton/store/team';
import { type Answer, json, NOTHING, refused } from '../answer.ts';
import { isSigned, readPublicKey } from '../challenge.ts';
import { consentForm, inventoryForm, joinForm, tokenForm } from '../forms.ts';
import { describeMachines } from '../machine-list.ts';
import type { RouteInput } from '../routes.ts';

const TOKEN_SECONDS = 15 * 60;
const NO_MACHINE = 'this machine is not known here, or has another key';
const ENDED = 'the team has ended this machine';

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
  const settings = await tenant.settings();
  // Agreed to what the team does not want is agreed to nothing: they are asked when it does.
  const consent = bodies && settings.bodies;
  if (consent) await tenant.changeConsent(joined.person, true);
  return json({ machine: joined.machine, tenant: { id: joined.tenant, name: settings.name }, bodies: settings.bodies, consent });
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
  if (machine === undefined || !isSigned(machine.publicKey, asked)) return refused('machine', NO_MACHINE);
  // Only who has its key hears more of it than that.
  if (machine.leftAt !== null) return refused('machine', ENDED);
  const { token } = await tenant.issueToken({ kind: 'machine', machine: machine.id, seconds: TOKEN_SECONDS });
  const { name, bodies } = await tenant.settings();
  const consent = (await tenant.person(machine.person))?.consent === true;
  return json({ token, seconds: TOKEN_SECONDS, tenant: { id: asked.tenant, name }, bodies, consent });
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

/** Nobody agrees to what the team does not want. */
export async function answerConsent({ body, store }: RouteInput, { tenant, person }: MachineIdentity): Promise<Answer> {
  const given = consentForm(body);
  if (!given.ok) return refused('bad-request', given.error);
  const own = store.tenant(tenant);
  if (given.value.bodies && !(await own.settings()).bodies) return refused('bad-request', 'the team does not want bodies');
  await own.changeConsent(person, given.value.bodies);
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
