import { isObject, textOf } from '../json-fields.ts';

type Fields = Record<string, unknown>;

/** In place: the agent goes on with the object that it handed out. */
export function replaceFields(holder: Fields, key: string, fields: Readonly<Fields>): void {
  const held = holder[key];
  if (!isObject(held)) {
    holder[key] = fields;
    return;
  }
  const target = held as Fields;
  for (const name of Object.keys(target)) delete target[name];
  Object.assign(target, fields);
}

const asText = (value: unknown): string => (typeof value === 'string' ? value : JSON.stringify(value));

/** A tool of the agent's own has a text, one of an MCP server a list of contents. */
export function rewriteResult(result: Fields, output: unknown): void {
  if (Array.isArray(result.content)) result.content = Array.isArray(output) ? output : [{ type: 'text', text: asText(output) }];
  else result.output = isObject(output) && typeof output.stdout === 'string' ? output.stdout : asText(output);
}

export function addToResult(result: Fields, text: string): void {
  if (Array.isArray(result.content)) result.content = [...result.content, { type: 'text', text }];
  else result.output = [textOf(result, 'output'), text].filter(Boolean).join('\n');
}

/** A part of its own, which the model reads and the person does not see. Its id sorts behind those that are there. */
export function addContextPart(output: Fields, sessionID: string, text: string): void {
  if (text === '' || !Array.isArray(output.parts)) return;
  const last: unknown = output.parts.at(-1);
  const id = isObject(last) ? textOf(last, 'id') : undefined;
  const messageID = isObject(output.message) ? textOf(output.message, 'id') : undefined;
  output.parts.push({ id: `${id ?? 'prt_'}p`, sessionID, messageID, type: 'text', text, synthetic: true });
}
