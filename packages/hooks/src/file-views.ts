import type { CanonicalEvent, FileCall, JsonObject, Tool } from '@piton/contracts';

const made = new WeakMap<CanonicalEvent, readonly CanonicalEvent[]>();

/** An event as hooks see it: once, or once for each file where one call edits several (`apply_patch`). */
export function fileViews(event: CanonicalEvent): readonly CanonicalEvent[] {
  const { tool } = event;
  const known = made.get(event);
  if (known !== undefined) return known;
  const views =
    tool === undefined || tool.kind !== 'edit' || tool.files.length < 2 ? [event] : callsOf(tool).map((call) => viewOf(event, tool, call));
  made.set(event, views);
  return views;
}

/** A file that the decoder made no call of is not forgotten. */
const callsOf = (tool: Tool): FileCall[] =>
  tool.files.flatMap((file) => {
    const calls = tool.calls?.filter((call) => call.file === file) ?? [];
    return calls.length > 0 ? calls : [{ file, name: tool.name, input: { ...tool.input, file_path: file } }];
  });

function viewOf(event: CanonicalEvent, tool: Tool, { file, name, input }: FileCall): CanonicalEvent {
  const { calls: _, otherForms, resolved, ...rest } = tool;
  const at = tool.files.indexOf(file);
  const forms = { ...(otherForms && { otherForms: [otherForms[at] ?? []] }), ...(resolved && { resolved: [resolved[at] ?? null] }) };
  const one = { ...rest, name, input, files: [file], ...forms };
  const response = responseOf(event.portable.tool_response, { file, name, input });
  return { ...event, portable: { ...event.portable, tool_name: name, tool_input: input, ...response }, tool: one };
}

/** What came of the whole call, as if it had been a call on this file alone. */
function responseOf(whole: unknown, { file: filePath, name, input }: FileCall): JsonObject {
  if (typeof whole !== 'object' || whole === null || !('filePath' in whole)) return {};
  const text = (field: string): string => (typeof input[field] === 'string' ? input[field] : '');
  const common = { filePath, structuredPatch: [], originalFile: null, userModified: false };
  if (name === 'Write') return { tool_response: { type: 'create', ...common, content: text('content') } };
  return { tool_response: { ...whole, ...common, oldString: text('old_string'), newString: text('new_string') } };
}
