import type { CanonicalEvent, JsonObject, Reduced, Tool } from '@piton/contracts';

/** The event as the next hook sees it, after one said `modify`. */
export function withInput(event: CanonicalEvent, input: JsonObject): CanonicalEvent {
  const { tool } = event;
  const portable = { ...event.portable, tool_input: input };
  if (tool === undefined) return { ...event, portable };
  return { ...event, portable, tool: changedTool(tool, input) };
}

/** The same, after one said `rewrite`. */
export function withOutput(event: CanonicalEvent, output: unknown): CanonicalEvent {
  return { ...event, portable: { ...event.portable, tool_response: output } };
}

/** The event as it will have happened: what observers of an answered event see. */
export function withDecision(event: CanonicalEvent, decision: Reduced): CanonicalEvent {
  const moved = decision.input === undefined ? event : withInput(event, decision.input);
  return 'output' in decision ? withOutput(moved, decision.output) : moved;
}

/** Command and files are separate from the input for hooks to read: they must describe the same call. */
function changedTool(tool: Tool, input: JsonObject): Tool {
  const command = tool.command !== undefined && typeof input.command === 'string' ? { command: input.command } : {};
  const changed = { ...tool, input, ...command };
  if (tool.files.length > 1 || typeof input.file_path !== 'string' || input.file_path === tool.files[0]) return changed;
  // Nobody has followed its links.
  return { ...changed, files: [input.file_path], ...(tool.resolved && { resolved: [null], leadsOut: true }) };
}

/** Equal as JSON, whatever the order of keys. With a list instead of recursion: an agent may nest as deeply as it likes. */
export function sameJson(one: unknown, other: unknown): boolean {
  const pairs: [unknown, unknown][] = [[one, other]];
  for (let pair = pairs.pop(); pair !== undefined; pair = pairs.pop()) {
    const [a, b] = pair;
    if (a === b) continue;
    if (typeof a !== 'object' || typeof b !== 'object' || a === null || b === null) return false;
    if (Array.isArray(a) !== Array.isArray(b)) return false;
    const keys = Object.keys(a);
    if (keys.length !== Object.keys(b).length || !keys.every((key) => Object.hasOwn(b, key))) return false;
    for (const key of keys) pairs.push([(a as Record<string, unknown>)[key], (b as Record<string, unknown>)[key]]);
  }
  return true;
}
