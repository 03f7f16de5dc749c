import type { PluginAnswer } from '../plugin-port.ts';

/** What a plugin remembers of the sessions in its process. */
export class PluginSessions {
  /** Of a subagent's session: the person's session. */
  readonly #roots = new Map<string, string>();
  /** What was answered at the start, until the first prompt carries it. */
  readonly #starts = new Map<string, Promise<PluginAnswer>>();
  /** One process may serve several directories. */
  readonly #open = new Map<string, string>();
  readonly #lastTexts = new Map<string, string>();
  /** What was answered before a compaction, until its summary carries it. */
  readonly #handoffs = new Map<string, string>();
  /** The prompt that we sent to go on, until it comes by. */
  readonly #goingOn = new Map<string, string>();
  readonly #continued = new Set<string>();

  begin(id: string, parent: string | undefined, directory: string, start: (root: string | undefined) => Promise<PluginAnswer>): void {
    const root = parent === undefined ? undefined : (this.#roots.get(parent) ?? parent);
    if (root === undefined) this.#open.set(id, directory);
    else this.#roots.set(id, root);
    this.#starts.set(id, start(root));
  }
  isKnown(id: string): boolean {
    return this.#open.has(id) || this.#roots.has(id);
  }
  rootOf(id: string): string | undefined {
    return this.#roots.get(id);
  }
  /** Once: the first prompt takes it. */
  takeStart(id: string): Promise<PluginAnswer> | undefined {
    const start = this.#starts.get(id);
    this.#starts.delete(id);
    return start;
  }
  keepHandoff(id: string, text: string): void {
    this.#handoffs.set(id, text);
  }
  hasHandoff(id: string): boolean {
    return this.#handoffs.has(id);
  }
  /** Once. */
  takeHandoff(id: string): string | undefined {
    const handoff = this.#handoffs.get(id);
    this.#handoffs.delete(id);
    return handoff;
  }
  say(id: string, text: string): void {
    this.#lastTexts.set(id, text);
  }
  lastText(id: string): string | undefined {
    return this.#lastTexts.get(id);
  }
  hasContinued(id: string): boolean {
    return this.#continued.has(id);
  }
  goOn(id: string, text: string): void {
    this.#continued.add(id);
    this.#goingOn.set(id, text);
  }
  rest(id: string): void {
    this.#continued.delete(id);
  }
  /** Is this the prompt that we sent ourselves? */
  isPitonPrompt(id: string, text: string): boolean {
    return this.#goingOn.get(id) === text && this.#goingOn.delete(id);
  }
  /** Gives back whether it was open. */
  end(id: string): boolean {
    for (const map of [this.#roots, this.#starts, this.#handoffs, this.#lastTexts, this.#goingOn]) map.delete(id);
    this.#continued.delete(id);
    return this.#open.delete(id);
  }
  openIn(directory: string): string[] {
    return [...this.#open].flatMap(([id, where]) => (where === directory ? [id] : []));
  }
}
