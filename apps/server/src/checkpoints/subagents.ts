import type { Task } from './messages.ts';

interface Call {
  readonly toolUseId: string | undefined;
  readonly name: string;
  /** Its own end has not come yet. */
  open: boolean;
  agentId: string | undefined;
  /** The subagent's has. */
  stopped: boolean;
  /** Files that its tools said they change. */
  readonly files: Set<string>;
  /** Others that were at work while it was. */
  readonly beside: Set<Call>;
}

/** Files that a subagent's own tools named, and those of others at work at the same time; null where there were none. */
export type Apart = { readonly own: readonly string[]; readonly others: readonly string[] } | null;

/** More than any session has under way; older ones are forgotten. */
const MOST_CALLS = 64;

/**
 * Which run of a subagent belongs to which tool call. Most agents wait for their subagents, and the call's own end is the
 * end of the task. Others (Codex, Claude Code in the background) end the call at once: there the subagent's stop is.
 */
export class Subagents {
  readonly #calls = new Map<string, Call[]>();

  called(session: string, toolUseId: string | undefined, name: string): void {
    const calls = this.#calls.get(session) ?? [];
    const beside = new Set(calls.filter((each) => each.open || (each.agentId !== undefined && !each.stopped)));
    const call: Call = { toolUseId, name, open: true, agentId: undefined, stopped: false, files: new Set(), beside };
    for (const each of beside) each.beside.add(call);
    this.#calls.set(session, [...calls.slice(-MOST_CALLS), call]);
  }

  /** A tool of this subagent's names the files that it changes. */
  touched(session: string, agentId: string | undefined, files: readonly string[]): void {
    const call = agentId === undefined ? undefined : this.#find(session, (each) => each.agentId === agentId);
    for (const file of files) call?.files.add(file);
  }

  /** How to tell its changes from those of others. */
  apart(session: string, { toolUseId, agentId }: Task): Apart {
    const isIt = (each: Call): boolean => (toolUseId === undefined ? each.agentId === agentId : each.toolUseId === toolUseId);
    const call = this.#find(session, isIt);
    if (call === undefined || call.beside.size === 0) return null;
    return { own: [...call.files], others: [...call.beside].flatMap(({ files }) => [...files]) };
  }

  /** Whether the subagent works on: then its stop will be the end of the task. */
  returned(session: string, toolUseId: string | undefined): { readonly working: boolean } {
    const call = this.#find(session, (each) => each.open && each.toolUseId === toolUseId);
    if (call) call.open = false;
    return { working: call?.agentId !== undefined && !call.stopped };
  }

  /** The call whose note is its note too, if that is still open. Calls are met in the order in which they were made. */
  started(session: string, agentId: string): Task | undefined {
    const call = this.#find(session, (each) => each.agentId === undefined);
    if (call === undefined) return undefined;
    call.agentId = agentId;
    return call.open ? { toolUseId: call.toolUseId, agentId: undefined } : undefined;
  }

  /** What to call the task, and whether the end of its tool call will be the end of it. */
  stopped(session: string, agentId: string): { readonly name: string | undefined; readonly awaited: boolean } {
    const call = this.#find(session, (each) => each.agentId === agentId);
    if (call) call.stopped = true;
    return { name: call?.name, awaited: call?.open ?? false };
  }

  forget(session: string): void {
    this.#calls.delete(session);
  }

  #find(session: string, fits: (call: Call) => boolean): Call | undefined {
    return this.#calls.get(session)?.find(fits);
  }
}
