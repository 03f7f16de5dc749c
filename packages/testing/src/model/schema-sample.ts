import { fieldsOf, listOf } from './json.ts';

/** A small value that satisfies a JSON schema: the answer to side requests for structured output. */
export function sampleOf(schema: unknown): unknown {
  const fields = fieldsOf(schema);
  if ('const' in fields) return fields.const;
  const choices = listOf(fields.enum);
  if (choices.length > 0) return choices[0];
  const either = [...listOf(fields.anyOf), ...listOf(fields.oneOf)];
  if (either.length > 0) return sampleOf(either[0]);
  const declared = Array.isArray(fields.type) ? fields.type[0] : (fields.type ?? ('properties' in fields ? 'object' : 'string'));
  // Gemini writes types in capitals.
  const type = String(declared).toLowerCase();
  if (type === 'object')
    return Object.fromEntries(Object.entries(fieldsOf(fields.properties)).map(([name, inner]) => [name, sampleOf(inner)]));
  if (type === 'array')
    return typeof fields.minItems === 'number' ? Array.from({ length: fields.minItems }, () => sampleOf(fields.items)) : [];
  if (type === 'number' || type === 'integer') return typeof fields.minimum === 'number' ? fields.minimum : 1;
  if (type === 'boolean') return false;
  return type === 'null' ? null : 'ok';
}
