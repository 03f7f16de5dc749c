import { type Context, printJson, printLine } from '../context.ts';
import { Failure } from '../failure.ts';
import { requirePlaces } from '../locations.ts';
import { oneLine } from '../output/text.ts';
import { consent } from '../question.ts';
import { readKey, readMembership, writeMembership } from './membership.ts';
import { readSenderState, writeSenderState } from './sender-state.ts';
import { callConsent, callToken } from './server-call.ts';

export interface ConsentOptions {
  readonly withdraw?: boolean;
  readonly dryRun?: boolean;
  readonly yes?: boolean;
  readonly json?: boolean;
}

/** What leaves of a person's own words is theirs to say, when the team has said that it wants them. */
export async function consentToBodies(context: Context, options: ConsentOptions): Promise<void> {
  const places = requirePlaces(context);
  const membership = readMembership(places);
  if (membership === undefined) throw new Failure('this machine is in no team: nothing leaves', { remedy: 'piton team join --help' });
  const { url, tenant, machine, bodies } = membership;
  const agrees = options.withdraw !== true;
  const team = oneLine(tenant.name);
  if (options.dryRun) {
    if (options.json) return printJson(context, { dryRun: true, bodies: agrees, before: bodies });
    return printLine(
      context,
      agrees ? `From then on prompts, commands and outputs would leave for ${team}, redacted, if it wants them.` : WITHDRAWN,
    );
  }
  const question = agrees
    ? `From now on, let prompts, commands and outputs leave for ${team}, redacted? What was recorded before stays here.`
    : 'Let no prompts, commands or outputs leave any more, from none of your machines? What left stays on the server.';
  const command = `piton team consent${agrees ? '' : ' --withdraw'}`;
  if (!(await consent(context, { question, yes: options.yes === true, command }))) return;
  // To take it back holds here first, whatever the server says then.
  if (!agrees) writeMembership(places, { ...membership, bodies: false });
  const told = await tell();
  if (agrees && told !== undefined) throw new Failure(`nothing was changed: ${told}`, { where: url });
  if (agrees) writeMembership(places, { ...membership, bodies: true, bodiesSince: new Date().toISOString() });
  if (options.json)
    return printJson(context, { bodies: agrees, serverKnows: told === undefined, ...(told !== undefined && { error: told }) });
  printLine(
    context,
    `${context.paint('green', '✓')} ${agrees ? `prompts, commands and outputs leave for ${team} from now on. To take it back: piton team consent --withdraw` : WITHDRAWN}`,
  );
  if (told !== undefined)
    printLine(context, `The server could not be told (${oneLine(told)}): other machines of yours go on. Try again later.`);

  /** Why the server does not know; undefined if it does. */
  async function tell(): Promise<string | undefined> {
    const token = await callToken({ url, tenant: tenant.id, machine, key: readKey(places) }, AbortSignal.timeout(15_000));
    if (!token.ok) return token.error;
    if (agrees && !token.value.bodies) return 'the team does not want prompts, commands or outputs';
    const reply = await callConsent(url, token.value.token, { bodies: agrees });
    if (!reply.ok) return reply.error;
    writeSenderState(places, { ...readSenderState(places), teamWantsBodies: token.value.bodies, consentKnown: agrees });
    return undefined;
  }
}

const WITHDRAWN =
  'no prompts, commands or outputs leave any more. What left stays on the server until its days are over, or its admin deletes it';
