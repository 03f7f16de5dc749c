import type { Task, TaskNote } from '../turns/messages.ts';
import type { Call, SubagentFiles } from './subagent-files.ts';

/** Files that a subagent's own tools named, and those of others at work at the same time; null where there were none. */
export type Apart = { readonly own: readonly string[]; readonly others: readonly string[] } | null;

/** More than any session has under way; older ones are forgotten. */
const MOST_CALLS = 64;

/**
 * Which run of a subagent belongs to which tool call. Most agents wait for their subagents, and the call's own end is the
 * end of the task. Others (Codex, Claude Code in the background) end the call at once: there the subagent's stop is.
 */
export class Subagents {
  readonly #files: SubagentFiles;
  readonly #calls = new Map<string, Call[]>();

  constructor(files: SubagentFiles) {
    this.#files = files;
  }

  called(session: string, toolUseId: string | undefined, name: string): void {
    const calls = this.#of(session);
    const beside = calls.filter((each) => each.open || (each.agentId !== undefined && !each.stopped));
    const key = (calls.at(-1)?.key ?? 0) + 1;
    for (const each of beside) each.beside.push(key);
    calls.push({ key, toolUseId, name, open: true, stopped: false, files: [], beside: beside.map((each) => each.key) });
    calls.splice(0, calls.length - MOST_CALLS);
    this.#files.write(session, calls);
  }

  /** A tool of this subagent's names the files that it changes. */
  touched(session: string, agentId: string | undefined, files: readonly string[]): void {
    const call = agentId === undefined ? undefined : this.#find(session, (each) => each.agentId === agentId);
    const news = files.filter((file) => !call?.files.includes(file));
    if (call === undefined || news.length === 0) return;
    call.files.push(...news);
    this.#files.write(session, this.#of(session));
  }

  /** How to tell its changes from those of others. */
  apart(session: string, { toolUseId, agentId }: Task): Apart {
    const isIt = (each: Call): boolean => (toolUseId === undefined ? each.agentId === agentId : each.toolUseId === toolUseId);
    const call = this.#find(session, isIt);
    if (call === undefined || call.beside.length === 0) return null;
    const others = this.#of(session).filter(({ key }) => call.beside.includes(key));
    return { own: call.files, others: others.flatMap(({ files }) => files) };
  }

  /** Whether the subagent works on: then its stop will be the end of the task. */
  returned(session: string, toolUseId: string | undefined): { readonly working: boolean } {
    const call = this.#find(session, (each) => each.open && each.toolUseId === toolUseId);
    if (call) this.#change(session, call, { open: false });
    return { working: call?.agentId !== undefined && !call.stopped };
  }

  /** The call whose note is its note too, if that is still open; else its name. Calls are met in the order in which they were made. */
  started(session: string, agentId: string): TaskNote {
    const call = this.#find(session, (each) => each.agentId === undefined);
    if (call === undefined) return {};
    this.#change(session, call, { agentId });
    return call.open ? { like: { toolUseId: call.toolUseId, agentId: undefined } } : { name: call.name };
  }

  /** Whether the end of its tool call will be the end of the task. */
  stopped(session: string, agentId: string): { readonly awaited: boolean } {
    const call = this.#find(session, (each) => each.agentId === agentId);
    if (call) this.#change(session, call, { stopped: true });
    return { awaited: call?.open ?? false };
  }

  /** A subagent may work on in the background, or start only then. */
  turnEnded(session: string): void {
    const lasts = ({ open, agentId, stopped }: Call): boolean => !stopped && (agentId !== undefined || !open);
    if (!this.#of(session).some(lasts)) this.#drop(session);
  }

  forget(session: string): void {
    this.#drop(session);
    this.#files.dropOld();
  }

  #drop(session: string): void {
    this.#calls.delete(session);
    this.#files.drop(session);
  }

  #change(session: string, call: Call, change: Partial<Pick<Call, 'open' | 'agentId' | 'stopped'>>): void {
    Object.assign(call, change);
    this.#files.write(session, this.#of(session));
  }

  #find(session: string, fits: (call: Call) => boolean): Call | undefined {
    return this.#of(session).find(fits);
  }

  /** Of a session that began before this server did, what the one before it has left. */
  #of(session: string): Call[] {
    const calls = this.#calls.get(session) ?? this.#files.read(session);
    this.#calls.set(session, calls);
    return calls;
  }
}
