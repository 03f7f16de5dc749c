import type { EventName } from '@piton/contracts';
import type { EventHeader } from '@piton/store';

type SessionEvent = Pick<EventHeader, 'eventId' | 'event' | 'source' | 'agentId' | 'wallUs' | 'derived' | 'canary' | 'tool'>;

/** A person is waited for, since an event of their session that says so. */
export interface OpenWait<Event extends SessionEvent = EventHeader> {
  readonly since: Event;
  readonly for: 'permission' | 'answer';
  /** The call that is waited with, where the agent has said which. */
  readonly call: Event | null;
  /** Where the agent told the person. */
  readonly notice: Event | null;
}

/** Notifications by their type, in Claude Code's words. Of others, such as `idle_prompt` or `auth_success`, nobody waits for an answer. */
const NOTICES: Readonly<Record<string, OpenWait['for']>> = {
  permission_prompt: 'permission',
  elicitation_dialog: 'answer',
  elicitation_url_dialog: 'answer',
  agent_needs_input: 'answer',
};
const ANSWERED_NOTICES: ReadonlySet<string | null> = new Set(['elicitation_complete', 'elicitation_response']);

/** Tools that only ask. */
const QUESTIONS: ReadonlySet<string> = new Set(['AskUserQuestion', 'ExitPlanMode']);

/** After these nothing in the session waits any more. */
const ENDS: ReadonlySet<EventName> = new Set<EventName>(['session_start', 'session_end', 'stop', 'stop_failure']);
/** A call that is over, one way or the other. */
const OVER: ReadonlySet<EventName> = new Set<EventName>(['post_tool_use', 'post_tool_use_failure', 'permission_denied']);

/** Calls of one answer of the model begin at once. Within this time nobody has answered and had the model go on. */
const AT_ONCE_US = 1_000_000;
/** An agent that reports no ends must not make this quadratic. */
const MOST_CALLS = 64;

/** One that was open for a time. */
export interface PastWait<Event extends SessionEvent = EventHeader> extends OpenWait<Event> {
  /** The event that shows that somebody answered; null while nobody has. */
  readonly end: Event | null;
}

/**
 * When somebody was waited for in these events of one session, oldest first. Only what agents sent counts: a permission request that
 * no hook has answered, or a notification. It is over when its call is, or when the same agent goes on with something else: some say
 * nothing of a call that the person refused. `isAnswered`: a hook's decision on the request took effect.
 */
export function waitsIn<Event extends SessionEvent>(
  events: readonly Event[],
  isAnswered: (event: Event) => boolean,
): readonly PastWait<Event>[] {
  const past: PastWait<Event>[] = [];
  let open: OpenWait<Event>[] = [];
  let calls: Event[] = [];
  const endThose = (end: Event, isOver: (wait: OpenWait<Event>) => boolean): void => {
    past.push(...open.filter(isOver).map((wait) => ({ ...wait, end })));
    open = open.filter((wait) => !isOver(wait));
  };
  for (const event of events) {
    if (event.canary || (event.derived && event.event !== 'permission_denied')) continue;
    if (OVER.has(event.event)) {
      endThose(event, (wait) => isOf(wait, event));
      calls = calls.filter((call) => !isSameCall(call, event));
    } else if (event.event === 'pre_tool_use') {
      endThose(event, (wait) => goesOn(wait, event));
      calls = [...calls, event].slice(-MOST_CALLS);
    } else if (event.event === 'permission_request') {
      if (!isAnswered(event)) open = [...open, requested(event, calls)];
    } else if (event.event === 'notification') {
      if (ANSWERED_NOTICES.has(event.source)) endThose(event, (wait) => wait.for === 'answer');
      else open = noticed(open, event, calls);
    } else if (ENDS.has(event.event) || isPrompt(event)) {
      endThose(event, () => true);
      calls = [];
    } else if (event.event === 'subagent_stop' && event.agentId !== null) {
      endThose(event, ({ since }) => since.agentId === event.agentId);
    }
  }
  return [...past, ...open.map((wait) => ({ ...wait, end: null }))];
}

/** Who is waited for at the end of these events. */
export const waitsAtEnd = <Event extends SessionEvent>(
  events: readonly Event[],
  isAnswered: (event: Event) => boolean,
): readonly OpenWait<Event>[] => waitsIn(events, isAnswered).filter(({ end }) => end === null);

/** The task of a subagent is nobody's answer. */
const isPrompt = ({ event, source }: SessionEvent): boolean => event === 'user_prompt_submit' && source !== 'subagent';

function requested<Event extends SessionEvent>(event: Event, calls: readonly Event[]): OpenWait<Event> {
  const kind = event.tool !== null && QUESTIONS.has(event.tool.name) ? 'answer' : 'permission';
  // Some name the tool in the request otherwise than in the call.
  const call = calls.findLast((one) => isSameCall(one, event)) ?? calls.findLast((one) => one.agentId === event.agentId) ?? event;
  return { since: event, for: kind, call, notice: null };
}

/** A notification belongs to the request before it. Where the agent sends no requests, to the call that is open. */
function noticed<Event extends SessionEvent>(open: readonly OpenWait<Event>[], event: Event, calls: readonly Event[]): OpenWait<Event>[] {
  const kind = NOTICES[event.source ?? ''];
  if (kind === undefined) return [...open];
  const of = open.findLastIndex(
    ({ notice, ...wait }) => notice === null && (wait.for === kind || wait.since.event === 'permission_request'),
  );
  if (of !== -1) return open.map((wait, at) => (at === of ? { ...wait, notice: event } : wait));
  return [...open, { since: event, for: kind, call: kind === 'permission' ? (calls.at(-1) ?? null) : null, notice: event }];
}

const isOf = (wait: OpenWait<SessionEvent>, event: SessionEvent): boolean =>
  wait.call === null ? wait.since.agentId === event.agentId : isSameCall(wait.call, event);

const goesOn = ({ since, call }: OpenWait<SessionEvent>, event: SessionEvent): boolean =>
  since.agentId === event.agentId && (call === null || event.wallUs - since.wallUs > AT_ONCE_US || isSameCall(call, event));

function isSameCall(call: SessionEvent, event: SessionEvent): boolean {
  const [one, other] = [call.tool, event.tool];
  if (one === null || other === null || call.agentId !== event.agentId) return false;
  if (one.useId !== null && other.useId !== null) return one.useId === other.useId;
  return one.name === other.name && one.command === other.command && one.files.join('\0') === other.files.join('\0');
}
