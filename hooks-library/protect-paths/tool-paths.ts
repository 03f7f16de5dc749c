import type { Payload } from '../parts/payload.ts';

/** A tool that reads by its name; one that also writes by its name is not. */
const READS = /(?:^|_)(?:read|get|list|search|find|view|stat|tree|info|show|fetch|grep|glob|cat|head|diff|describe|query)(?:_|$)/;
const WRITES = /(?:^|_)(?:write|edit|create|delete|remove|move|rename|update|put|patch|append|replace|insert|save|copy)(?:_|$)/;
/** Fields that name a file. */
const PATH_FIELD = /^(?:.*_)?(?:path|paths|file|files|filename|filepath|source|destination|target|uri)$/i;
const MAX_VALUES = 200;

/** The files that a tool of an MCP server is given, unless its name says that it only reads. */
export function pathsGiven({ tool_name = '', tool_input = {} }: Payload): string[] {
  const name = (tool_name.split('__').at(-1) ?? '').replace(/([a-z0-9])([A-Z])/g, '$1_$2').toLowerCase();
  if (READS.test(name) && !WRITES.test(name)) return [];
  const found: string[] = [];
  const open: [string, unknown][] = Object.entries(tool_input);
  for (let next = open.shift(); next !== undefined && found.length < MAX_VALUES; next = open.shift()) {
    const [key, value] = next;
    if (typeof value === 'string' && PATH_FIELD.test(key)) found.push(value.replace(/^file:\/\//, ''));
    else if (Array.isArray(value)) open.push(...value.slice(0, MAX_VALUES).map((each): [string, unknown] => [key, each]));
    else if (typeof value === 'object' && value !== null) open.push(...Object.entries(value).slice(0, MAX_VALUES));
  }
  return found;
}
