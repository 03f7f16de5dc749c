import {
  type CanonicalEvent,
  type JsonObject,
  type NativeAnswer,
  type Reduced,
  ruleOf,
  type SkipReason,
  type TraceEntry,
} from '@piton/contracts';
import type { HookDefinition } from './definition.ts';
import { sameJson, withInput, withOutput } from './event-change.ts';
import { closedOnFailure, denyFor, describeSkip } from './fail-closed.ts';
import { aboutAllFiles, withoutModify } from './file-answers.ts';
import { fileViews } from './file-views.ts';
import { noteOf, type PayloadText, payloadTexts, type Ran, type RunContext, runHook, withDecisions } from './hook-run.ts';
import { matches } from './matcher.ts';
import { withinPermission } from './permission.ts';
import { skipped } from './plan.ts';
import { type Part, reduce } from './reduce.ts';

export interface DecideOptions extends RunContext {
  readonly event: CanonicalEvent;
  /** As `plan` chose them, in order. */
  readonly hooks: readonly HookDefinition[];
  /** What all of them share, from now on. */
  readonly budgetMs: number;
  /** Milliseconds of a clock that never goes back. */
  readonly now: () => number;
  /** Can this agent deny this event? */
  readonly deniable: boolean;
  /** Why a policy cannot judge it: the payload was over the limit, or lacks what a policy looks at. */
  readonly truncated?: string;
  /** What runs Piton's command where the answer is read. Without it: `piton`. */
  readonly command?: () => string;
  /** Nobody waits for the answer any more. */
  readonly signal?: AbortSignal;
}

/** From here on nothing runs inside hooks inside hooks, policies included. */
export const DEEPEST = 3;

/** What the hooks of one event have come to so far. */
interface Course {
  readonly options: DecideOptions;
  readonly payload: PayloadText;
  readonly endsAt: number;
  readonly trace: TraceEntry[];
  event: CanonicalEvent;
  /** Who wrote the input that stands now. */
  author: HookDefinition | undefined;
}

/** Each hook's latest answer, and the input that it was for. */
interface HookResult {
  readonly hook: HookDefinition;
  /** `unmet`: its conditions did not hold for the input that it would have seen. */
  readonly state: 'ran' | 'skipped' | 'unmet';
  part: Part;
  input: JsonObject | undefined;
}

export interface Decided {
  readonly reduced: Reduced;
  readonly trace: TraceEntry[];
  /** Counts only where `reduced` says nothing. */
  readonly native?: NativeAnswer;
}

/** Runs the hooks that can decide, one after the other, and reduces their decisions. */
export async function decide(options: DecideOptions): Promise<Decided> {
  const course = begin(options);
  const said: HookResult[] = [];
  for (const hook of options.hooks) {
    const views = viewsFor(course, hook);
    // Nothing to wait for: whoever comes next starts in the same breath.
    said.push(views.length === 0 ? unmet(course, hook) : { hook, ...(await runOnce(course, hook, views)) });
  }
  if (course.author !== undefined) await runAgain(course, said);
  const reduced = reduce(said.map(({ part, input }) => aboutTheFinalInput(part, sameJson(input, course.event.tool?.input))));
  const native = said.find(({ part }) => part.native !== undefined)?.part.native;
  return { reduced, trace: course.trace, ...(native !== undefined && { native }) };
}

/** Runs hooks after the answer: their decisions are recorded and change nothing. Those of one group run at the same time. */
export async function observe(options: DecideOptions): Promise<TraceEntry[]> {
  const course = begin(options);
  const entries = new Map<HookDefinition, readonly TraceEntry[]>();
  for (const together of groupsOf(options.hooks)) {
    const all = await Promise.all(together.map(async (hook) => [hook, await watch(course, hook)] as const));
    for (const [hook, made] of all) entries.set(hook, made);
  }
  return options.hooks.flatMap((hook) => entries.get(hook) ?? []);
}

/** A hook of no group is alone; only one that was declared to watch may run beside others. */
function groupsOf(hooks: readonly HookDefinition[]): HookDefinition[][] {
  const groups = new Map<HookDefinition | string, HookDefinition[]>();
  for (const hook of hooks) {
    const key = hook.observe && hook.group ? hook.group : hook;
    groups.set(key, [...(groups.get(key) ?? []), hook]);
  }
  return [...groups.values()];
}

async function watch(course: Course, hook: HookDefinition): Promise<TraceEntry[]> {
  const views = fileViews(course.event).filter((view) => matches(hook, view));
  if (views.length === 0) return [skipped(hook, 'no-match')];
  const entries: TraceEntry[] = [];
  for (const view of views) {
    const skip = whyNot(course, hook);
    if (skip !== undefined) return [...entries, skipped(hook, ...skip)];
    entries.push({ ...(await runHook(hook, view, left(course), course.payload, course.options)).entry, observed: true });
  }
  return entries;
}

function begin(options: DecideOptions): Course {
  const { event, context, budgetMs, now } = options;
  return { options, payload: payloadTexts(context), endsAt: now() + budgetMs, trace: [], event, author: undefined };
}

const left = (course: Course): number => course.endsAt - course.options.now();

function unmet(course: Course, hook: HookDefinition): HookResult {
  if (!hook.builtIn) course.trace.push(skipped(hook, 'no-match'));
  return { hook, state: 'unmet', part: { decisions: [] }, input: undefined };
}

function viewsFor(course: Course, hook: HookDefinition): readonly CanonicalEvent[] {
  const all = fileViews(course.event);
  return mustAnswer(course, hook) ? all : all.filter((view) => matches(hook, view));
}

async function runOnce(course: Course, hook: HookDefinition, views: readonly CanonicalEvent[]): Promise<Omit<HookResult, 'hook'>> {
  const input = course.event.tool?.input;
  const files = fileViews(course.event).length;
  if (files > 1) return { state: 'ran', part: await runPerFile(course, hook, views, files), input };
  const ran = await attempt(course, hook, course.event);
  if (!('answer' in ran)) return { state: 'skipped', part: ran, input };
  course.trace.push(ran.entry);
  for (const decision of ran.answer.part.decisions) {
    if (decision.decision === 'rewrite') course.event = withOutput(course.event, decision.output);
    if (decision.decision !== 'modify') continue;
    // An input that changes nothing needs no second look by the others.
    if (!sameJson(decision.input, course.event.tool?.input)) course.author = hook;
    course.event = withInput(course.event, decision.input);
  }
  return { state: 'ran', part: ran.answer.part, input: course.author === hook ? course.event.tool?.input : input };
}

/** What cannot be read cannot be matched: a policy is asked, and cannot answer. */
const mustAnswer = ({ options }: Course, hook: HookDefinition): boolean =>
  hook.status.kind === 'broken' || (options.truncated !== undefined && hook.failClosed);

/** One call on several files: the hook runs once for each. */
async function runPerFile(course: Course, hook: HookDefinition, views: readonly CanonicalEvent[], files: number): Promise<Part> {
  const parts: Part[] = [];
  for (const view of views) {
    const ran = await attempt(course, hook, view);
    if (!('answer' in ran)) {
      parts.push(ran);
      continue;
    }
    const kept = withoutModify(ran);
    course.trace.push({ ...kept.entry, note: noteOf(kept.entry.note, `for ${view.tool?.files[0]}`) });
    parts.push(kept.answer.part);
    for (const said of kept.answer.part.decisions) if (said.decision === 'rewrite') course.event = withOutput(course.event, said.output);
  }
  return aboutAllFiles(parts, files);
}

/** Whoever judged an input that was changed afterwards judges once more; the author of the last change knows it. */
async function runAgain(course: Course, said: HookResult[]): Promise<void> {
  for (const one of said) {
    if (one.state === 'skipped' || sameJson(one.input, course.event.tool?.input)) continue;
    // What it waits for is not there, before or after the change.
    if (!matches(one.hook, course.event)) continue;
    // A deny cannot be lifted: the rest need not be asked.
    if (said.some(({ part }) => part.decisions.some(({ decision }) => decision === 'deny'))) return;
    const ran = await attempt(course, one.hook, course.event);
    if (!('answer' in ran)) {
      one.part = { ...one.part, decisions: [...one.part.decisions, ...ran.decisions] };
      continue;
    }
    const again = unsettled(course, one.hook, ran);
    const words = `ran ${one.state === 'ran' ? 'again ' : ''}on the input that ${course.author?.name} wrote`;
    course.trace.push({ ...again.entry, note: noteOf(again.entry.note, words) });
    if (again.answer.failed !== undefined) one.part = { ...one.part, decisions: [...one.part.decisions, ...again.answer.part.decisions] };
    else {
      one.part = { ...again.answer.part, decisions: [...keptDecisions(one.part), ...again.answer.part.decisions] };
      one.input = course.event.tool?.input;
    }
  }
}

/** Two hooks that rewrite each other's input would never end: a second change is a deny. */
function unsettled(course: Course, hook: HookDefinition, ran: Ran): Ran {
  const input = course.event.tool?.input;
  const decisions = ran.answer.part.decisions.filter((said) => said.decision !== 'modify');
  if (!ran.answer.part.decisions.some((said) => said.decision === 'modify' && !sameJson(said.input, input))) {
    return { ...ran, answer: { ...ran.answer, part: { ...ran.answer.part, decisions } } };
  }
  const reason = `Denied because the hooks ${hook.name} and ${course.author?.name} each change what the other wrote: change one of them.`;
  return withDecisions(ran, [...decisions, { decision: 'deny', reason }]);
}

/** An ask on the older input stays, as does the change itself; the rest is decided again. */
const keptDecisions = (part: Part): Part['decisions'] => part.decisions.filter(({ decision }) => ruleOf(decision).changedInput === 'stays');

/** An allow counts for the input that it was given for, and for no other. */
function aboutTheFinalInput(part: Part, final: boolean): Part {
  return final ? part : { ...part, decisions: part.decisions.filter(({ decision }) => ruleOf(decision).changedInput !== 'dropped') };
}

async function attempt(course: Course, hook: HookDefinition, event: CanonicalEvent): Promise<Ran | Part> {
  const skip = whyNot(course, hook);
  const { options } = course;
  if (skip !== undefined) {
    const [why, note] = skip;
    const deny = hook.failClosed && options.deniable ? [denyFor(hook, describeSkip(why, note), options.command)] : [];
    course.trace.push(skipped(hook, why, deny.length > 0 ? noteOf(note, 'it is fail_closed, so the event is denied') : note));
    return { decisions: deny };
  }
  const ran = await runHook(hook, event, left(course), course.payload, options);
  return closedOnFailure(hook, withinPermission(hook, ran, event.tool), options);
}

function whyNot(course: Course, hook: HookDefinition): [SkipReason, string?] | undefined {
  const { options } = course;
  const { status } = hook;
  if (hook.builtIn) return undefined; // it starts nothing, so nothing can go round in circles
  if (status.kind === 'broken' || status.kind === 'not-executable' || status.kind === 'not-trusted') return [status.kind, status.note];
  if (options.depth >= DEEPEST || (options.depth >= 1 && !hook.failClosed)) return ['child-run'];
  if (options.truncated && hook.failClosed) return ['truncated', options.truncated];
  if (options.signal?.aborted) return ['aborted'];
  if (left(course) < 1) return ['out-of-budget'];
  return undefined;
}
