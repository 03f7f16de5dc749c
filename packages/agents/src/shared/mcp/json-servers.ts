import type { JsonObject, McpEdit, McpInstaller, McpServer } from '@piton/contracts';
import { getNodeValue } from 'jsonc-parser/lib/esm/main.js';
import { removeWithContainers, splitBom } from '../hooks-file/hooks-entries.ts';
import { textOf } from '../json-fields.ts';
import { appendItem, oneLine, replaceValue } from '../jsonc/jsonc-edit.ts';
import { indentStepOf, itemOf, lineBreakOf, memberOf, type Node, parseText, positionOf } from '../jsonc/jsonc-text.ts';
import { isOurServer, NAME, taken } from './our-server.ts';

/** A file of the form `{ "mcpServers": { "name": entry } }`. */
export interface ServersDialect {
  /** Where the servers stand by their names. */
  readonly key: string;
  readonly configFile: McpInstaller['configFile'];
  entry(server: McpServer): JsonObject;
  serverOf?(entry: JsonObject): McpServer | undefined;
}

/** Program and arguments apart, as most agents have it. */
function plainServer(entry: JsonObject): McpServer | undefined {
  const command = textOf(entry, 'command');
  return command === undefined ? undefined : serverFrom([command, ...(Array.isArray(entry.args) ? entry.args : [])]);
}

export function serverFrom(words: readonly unknown[]): McpServer | undefined {
  const [command, ...args] = words;
  return typeof command === 'string' && args.every((arg) => typeof arg === 'string') ? { command, args } : undefined;
}

export function jsonServers({ key, configFile, entry, serverOf = plainServer }: ServersDialect): McpInstaller {
  const find = (root: Node): { readonly node: Node; readonly server: McpServer | undefined } | undefined => {
    const servers = memberOf(root, key);
    const node = servers?.type === 'object' ? memberOf(servers, NAME) : undefined;
    return node && { node, server: node.type === 'object' ? serverOf(getNodeValue(node)) : undefined };
  };
  const ours = (root: Node): { readonly node: Node; readonly server: McpServer } | undefined => {
    const found = find(root);
    return found?.server && isOurServer(found.server) ? { node: found.node, server: found.server } : undefined;
  };
  return {
    configFile,
    install(original, server) {
      const value = entry(server);
      const [bom, text] = splitBom(original ?? '');
      if (text.trim() === '') return { ok: true, text: `${bom}${text}${newFile(key, value)}${original === null ? '\n' : ''}` };
      const parsed = parseText(text);
      if (!parsed.ok) return parsed;
      const { root } = parsed;
      const problem = problemOf(text, root, key);
      if (problem !== undefined) return { ok: false, error: problem };
      const found = find(root);
      if (found === undefined) return { ok: true, text: bom + added(text, root, key, value) };
      if (ours(root) === undefined) return taken(positionOf(text, found.node.offset));
      if (holds(getNodeValue(found.node), value)) return { ok: true, text: original };
      return { ok: true, text: bom + replaceValue(text, found.node, oneLine(value)) };
    },
    uninstall(original): McpEdit {
      const [bom, text] = splitBom(original);
      const parsed = parseText(text);
      // What cannot be read, and an empty file, have nothing of ours.
      if (!parsed.ok) return text.trim() === '' || !text.includes(JSON.stringify(NAME)) ? { ok: true, text: original } : parsed;
      const found = ours(parsed.root);
      if (found === undefined) return { ok: true, text: original };
      const rest = removeWithContainers(text, itemOf(found.node));
      return { ok: true, text: rest === null ? null : bom + rest };
    },
    installed(text) {
      const parsed = parseText(splitBom(text)[1]);
      return (parsed.ok && ours(parsed.root)?.server) || null;
    },
    definitions(text) {
      const parsed = parseText(splitBom(text)[1]);
      const servers = parsed.ok ? memberOf(parsed.root, key) : undefined;
      return servers?.type === 'object' ? Object.entries(getNodeValue(servers) as JsonObject).map((one) => JSON.stringify(one)) : [];
    },
  };
}

/** Fields that the person or the agent added to our entry stay. */
const holds = (there: JsonObject, wanted: JsonObject): boolean =>
  Object.entries(wanted).every(([key, value]) => JSON.stringify(there[key]) === JSON.stringify(value));

function problemOf(text: string, root: Node, key: string): string | undefined {
  const wrong = (node: Node, what: string) => `${positionOf(text, node.offset)}: ${what}: mend it or take it out, then run this again`;
  if (root.type !== 'object') return wrong(root, `the whole file must be a JSON object, not ${root.type}`);
  const servers = memberOf(root, key);
  return servers === undefined || servers.type === 'object' ? undefined : wrong(servers, `"${key}" must be an object, not ${servers.type}`);
}

const newFile = (key: string, value: JsonObject): string => `{\n  ${JSON.stringify(key)}: {\n    "${NAME}": ${oneLine(value)}\n  }\n}`;

function added(text: string, root: Node, key: string, value: JsonObject): string {
  const member = `"${NAME}": ${oneLine(value)}`;
  const servers = memberOf(root, key);
  if (servers !== undefined) return appendItem(text, root, servers, () => member);
  const [step, eol] = [indentStepOf(text, root), lineBreakOf(text)];
  return appendItem(text, root, root, (indent) => `${JSON.stringify(key)}: {${eol}${indent}${step}${member}${eol}${indent}}`);
}
