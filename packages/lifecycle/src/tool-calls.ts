import type { CanonicalEvent } from '@piton/contracts';

/** Calls of one session that have begun and not ended; an agent that never says that one ended must not fill the memory. */
const OPEN = 64;
const SESSIONS = 500;
const DENIED = 256;
const OWN = 'piton_';

interface OpenCall {
  readonly id: string;
  readonly name: string;
  readonly input: string;
}

/**
 * Some agents send no tool-call id. So that a hook, and whoever reads the record, can tell which end belongs to which
 * beginning, a call gets one of ours, and its end the id of the oldest open call of that tool: with the same input if there is one.
 */
export class ToolCalls {
  readonly #open = new Map<string, OpenCall[]>();
  /** The latest calls that we denied, by id, or where the agent gives none by what was called with what. */
  readonly #denied = new Set<string>();

  /** The event with an id, where it speaks of a tool; as it is, where the agent gave one or the event is none of a call. */
  name(event: CanonicalEvent, stamp: string): CanonicalEvent {
    const { tool } = event;
    if (tool === undefined || tool.useId !== undefined || event.sessionId === '') return event;
    const id = this.#idFor(event, stamp, tool.name, JSON.stringify(tool.input));
    return id === undefined ? event : { ...event, tool: { ...tool, useId: id }, portable: { ...event.portable, tool_use_id: id } };
  }

  #idFor(event: CanonicalEvent, stamp: string, name: string, input: string): string | undefined {
    const calls = this.#of(event);
    if (event.event === 'pre_tool_use') {
      const id = `${OWN}${stamp}`;
      calls.push({ id, name, input });
      if (calls.length > OPEN) calls.shift();
      return id;
    }
    const found = calls.find((call) => call.name === name && call.input === input) ?? calls.find((call) => call.name === name);
    const ends = event.event === 'post_tool_use' || event.event === 'post_tool_use_failure';
    if (found !== undefined && ends) calls.splice(calls.indexOf(found), 1);
    return found?.id;
  }

  /** A call that we denied has no end that the agent would tell of. */
  denied(event: CanonicalEvent): void {
    const calls = this.#of(event);
    const at = calls.findIndex((call) => call.id === event.tool?.useId);
    if (at >= 0) calls.splice(at, 1);
    this.#denied.add(callKey(event));
    if (this.#denied.size > DENIED) this.#denied.delete(this.#denied.values().next().value as string);
  }

  /** Does the agent report what we have derived from our own deny already? Some do, once for each call. */
  reportsOurDeny(event: CanonicalEvent): boolean {
    if (this.#denied.size === 0 || (event.event !== 'post_tool_use_failure' && event.event !== 'permission_denied')) return false;
    return this.#denied.delete(callKey(event));
  }

  #of({ agent, sessionId, agentId }: CanonicalEvent): OpenCall[] {
    const key = [agent, sessionId, agentId ?? ''].join('\0');
    const calls = this.#open.get(key) ?? [];
    this.#open.delete(key); // the latest stands last
    this.#open.set(key, calls);
    if (this.#open.size > SESSIONS) this.#open.delete(this.#open.keys().next().value as string);
    return calls;
  }
}

function callKey({ agent, sessionId, tool }: CanonicalEvent): string {
  const call = tool?.useId !== undefined && !tool.useId.startsWith(OWN) ? tool.useId : JSON.stringify([tool?.name, tool?.input]);
  return [agent, sessionId, call].join('\0');
}

/** The id of the call, if it got it from us. */
export function ownId({ tool }: CanonicalEvent): string | undefined {
  return tool?.useId?.startsWith(OWN) ? tool.useId : undefined;
}
