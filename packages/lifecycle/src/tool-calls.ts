import type { CanonicalEvent } from '@piton/contracts';

/** Limits of calls without an end: an agent that never reports one must not fill the memory. */
const OPEN = 64;
const SESSIONS = 500;
const DENIED = 256;
const GENERATED_PREFIX = 'piton_';

interface OpenCall {
  readonly id: string;
  readonly name: string;
  readonly input: string;
}

/**
 * Some agents send no tool-call id. Piton then generates one, so that hooks and readers of the record can match the end of a call to
 * its beginning. The end gets the id of the oldest open call of that tool, with the same input if there is one.
 */
export class ToolCalls {
  readonly #open = new Map<string, OpenCall[]>();
  /** Recently denied calls, by id, or by tool and input if the agent sends no id. */
  readonly #denied = new Set<string>();

  /** Adds an id to a tool event that has none. Other events are returned unchanged. */
  withId(event: CanonicalEvent, stamp: string): CanonicalEvent {
    const { tool } = event;
    if (tool === undefined || tool.useId !== undefined || event.sessionId === '') return event;
    const id = this.#idFor(event, stamp, tool.name, JSON.stringify(tool.input));
    return id === undefined ? event : { ...event, tool: { ...tool, useId: id }, portable: { ...event.portable, tool_use_id: id } };
  }

  /** The same event, with the id that `withId` would give it now; nothing is remembered of it. */
  peek(event: CanonicalEvent, stamp: string): CanonicalEvent {
    const { tool } = event;
    if (tool === undefined || tool.useId !== undefined || event.sessionId === '') return event;
    const isNew = event.event === 'pre_tool_use';
    const id = isNew ? `${GENERATED_PREFIX}${stamp}` : foundIn(this.#of(event), tool.name, JSON.stringify(tool.input))?.id;
    return id === undefined ? event : { ...event, tool: { ...tool, useId: id } };
  }

  #idFor(event: CanonicalEvent, stamp: string, name: string, input: string): string | undefined {
    const calls = this.#of(event);
    if (event.event === 'pre_tool_use') {
      const id = `${GENERATED_PREFIX}${stamp}`;
      calls.push({ id, name, input });
      if (calls.length > OPEN) calls.shift();
      return id;
    }
    const found = foundIn(calls, name, input);
    const ends = event.event === 'post_tool_use' || event.event === 'post_tool_use_failure';
    if (found !== undefined && ends) calls.splice(calls.indexOf(found), 1);
    return found?.id;
  }

  /** Some agents report no end for a denied call, so it does not wait for one. */
  denied(event: CanonicalEvent): void {
    const calls = this.#of(event);
    const at = calls.findIndex((call) => call.id === event.tool?.useId);
    if (at >= 0) calls.splice(at, 1);
    this.#denied.add(callKey(event));
    if (this.#denied.size > DENIED) this.#denied.delete(this.#denied.values().next().value as string);
  }

  /** Does the agent report an event that Piton has already derived from its deny? Some do, once per call. */
  reportsOurDeny(event: CanonicalEvent): boolean {
    if (this.#denied.size === 0 || (event.event !== 'post_tool_use_failure' && event.event !== 'permission_denied')) return false;
    return this.#denied.delete(callKey(event));
  }

  #of({ agent, sessionId, agentId }: CanonicalEvent): OpenCall[] {
    const key = [agent, sessionId, agentId ?? ''].join('\0');
    const calls = this.#open.get(key) ?? [];
    this.#open.delete(key); // most recent last
    this.#open.set(key, calls);
    if (this.#open.size > SESSIONS) this.#open.delete(this.#open.keys().next().value as string);
    return calls;
  }
}

const foundIn = (calls: readonly OpenCall[], name: string, input: string): OpenCall | undefined =>
  calls.find((call) => call.name === name && call.input === input) ?? calls.find((call) => call.name === name);

function callKey({ agent, sessionId, tool }: CanonicalEvent): string {
  const generated = tool?.useId?.startsWith(GENERATED_PREFIX);
  const call = tool?.useId !== undefined && !generated ? tool.useId : JSON.stringify([tool?.name, tool?.input]);
  return [agent, sessionId, call].join('\0');
}

/** The id of the call, if Piton generated it. */
export function generatedId({ tool }: CanonicalEvent): string | undefined {
  return tool?.useId?.startsWith(GENERATED_PREFIX) ? tool.useId : undefined;
}
