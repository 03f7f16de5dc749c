import type { JsonObject, Tool } from '@piton/contracts';
import { fieldsOf, isObject, textOf } from '../shared/json-fields.ts';
import { claudeResponse } from '../shared/portable/claude-response.ts';

/** The line that Droid puts after the output of a command. */
const EXITED = /\n?\n?\n\[Process exited with code -?\d+\]\s*$/;
const LAUNCHED = /^Task launched in background\.\ntask_id: (\S+)/;

/** Always a text, which is JSON after an edit. */
export function portableResponse(tool: Tool, response: unknown): unknown {
  if (typeof response !== 'string') return response;
  const [, agentId] = LAUNCHED.exec(response) ?? [];
  return claudeResponse(tool, {
    text: tool.kind === 'shell' ? response.replace(EXITED, (_, at: number) => (at === 0 ? '' : '\n')) : response,
    diff: tool.kind === 'edit' ? diffOf(response) : undefined,
    agentId,
    launched: agentId !== undefined,
  });
}

/** The lines that an edit changed, as a diff. It says their numbers on one side each. */
function diffOf(response: string): string | undefined {
  const lines = linesIn(response);
  const firstOf = (side: string): number => {
    const numbers = lines.map((line) => fieldsOf(line.lineNumber)[side]).filter((at) => typeof at === 'number');
    return numbers.length === 0 ? 1 : Math.min(...numbers);
  };
  const [removed, added] = ['removed', 'added'].map((type) => lines.filter((line) => line.type === type));
  if (removed === undefined || added === undefined || removed.length + added.length === 0) return undefined;
  const text = (sign: string) => (line: JsonObject) => `${sign}${textOf(line, 'content') ?? ''}`;
  return [
    `@@ -${firstOf('old')},${removed.length} +${firstOf('new')},${added.length} @@`,
    ...removed.map(text('-')),
    ...added.map(text('+')),
  ].join('\n');
}

function linesIn(response: string): JsonObject[] {
  try {
    const { diffLines } = fieldsOf(JSON.parse(response));
    return Array.isArray(diffLines) ? diffLines.filter(isObject) : [];
  } catch {
    return [];
  }
}
