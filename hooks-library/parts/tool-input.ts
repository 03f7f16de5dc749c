import type { Payload } from './payload.ts';

/** A tool that reads by its name; one that also writes by its name is not. */
const READS = /(?:^|_)(?:read|get|list|search|find|view|stat|tree|info|show|fetch|grep|glob|cat|head|diff|describe|query)(?:_|$)/;
const WRITES = /(?:^|_)(?:write|edit|create|delete|remove|move|rename|update|put|patch|append|replace|insert|save|copy)(?:_|$)/;
/** Fields that name a file. */
const PATH_FIELD =
  /^(?:.*_)?(?:path|paths|file|files|file_?name|path_?name|filepath|location|source|destination|target|from|to|src|dst|dest|uri)$/;
const MAX_VALUES = 200;

const snakeCase = (name: string): string => name.replace(/([a-z0-9])([A-Z])/g, '$1_$2').toLowerCase();

/** Of these, the ones that name nothing else: a message has a `to` and a `target` too, and a request its `uri`. */
const isFile = ([key, value]: readonly [string, string]): boolean =>
  /^(?:.*_)?(?:paths?|files?|file_?name|filepath|destination)$/.test(key) || (key.endsWith('uri') && value.startsWith('file:'));
/** Fields that hold what an edit replaces. */
const OLD_FIELD = /^(?:old|before|search|find|original|expected)/;

/** The files that a tool of an MCP server is given, unless its name says that it only reads. */
export const pathsGiven = (payload: Payload): string[] =>
  stringsIn(payload)
    .filter(([key]) => PATH_FIELD.test(key))
    .map(([, value]) => value.replace(/^file:\/\//, ''));

/** What such a tool would put into the files that it is given, and what it would replace. Nothing if it is given no file. */
export function textsGiven(payload: Payload): { readonly after: string; readonly before: string } {
  const strings = stringsIn(payload);
  const others = strings.filter(([key]) => !PATH_FIELD.test(key));
  if (!strings.some(isFile)) return { after: '', before: '' };
  const texts = (isOld: boolean): string =>
    others
      .filter(([key]) => OLD_FIELD.test(key) === isOld)
      .map(([, value]) => value)
      .join('\n');
  return { after: texts(false), before: texts(true) };
}

/** The strings in the input of a tool that may write, each with the name of its field. */
function stringsIn({ tool_name = '', tool_input = {} }: Payload): [string, string][] {
  const name = snakeCase(tool_name.split('__').at(-1) ?? '');
  if (READS.test(name) && !WRITES.test(name)) return [];
  const found: [string, string][] = [];
  const open: [string, unknown][] = Object.entries(tool_input);
  for (let next = open.shift(); next !== undefined && found.length < MAX_VALUES; next = open.shift()) {
    const [key, value] = next;
    if (typeof value === 'string') found.push([snakeCase(key), value]);
    else if (Array.isArray(value)) open.push(...value.slice(0, MAX_VALUES).map((each): [string, unknown] => [key, each]));
    else if (typeof value === 'object' && value !== null) open.push(...Object.entries(value).slice(0, MAX_VALUES));
  }
  return found;
}
