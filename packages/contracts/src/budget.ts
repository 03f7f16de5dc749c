/** What Piton keeps of an agent's native timeout for its own answer: a tenth, at least 300 ms. */
const reserve = (timeoutMs: number): number => Math.max(timeoutMs / 10, 300);

/** The time that all hooks of one event share, queueing included. */
export function budgetOf(timeoutMs: number): number {
  return Math.max(0, Math.floor(timeoutMs - reserve(timeoutMs)));
}

/** When a forwarder gives up on the server: after the budget, before the agent does. */
export function giveUpAfter(timeoutMs: number): number {
  return Math.max(0, Math.floor(timeoutMs - reserve(timeoutMs) / 2));
}
