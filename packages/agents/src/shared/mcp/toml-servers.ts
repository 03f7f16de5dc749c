import type { McpEdit, McpInstaller, McpServer } from '@piton/contracts';
import { lineBreakOf, positionOf } from '../jsonc/jsonc-text.ts';
import { quotedToml, scanToml, type TomlText, unquoted } from '../toml/toml-text.ts';
import { isOurServer, NAME, taken } from './our-server.ts';

type Scan = Extract<TomlText, { ok: true }>;

/** Tables `[mcp_servers.<name>]`. Ours is appended, and taken out with the tables that somebody put below it. */
export function tomlServers(table: string, configFile: McpInstaller['configFile']): McpInstaller {
  const path = [table, NAME];
  const isWithin = (at: readonly string[]): boolean => at.length >= path.length && path.every((word, index) => at[index] === word);
  const serverIn = (text: string, scan: Scan): McpServer | undefined => {
    const raw = (key: string): string | undefined => {
      const entry = scan.entries.findLast((one) => one.path.length === 3 && isWithin(one.path) && one.path[2] === key);
      return entry && text.slice(entry.valueFrom, entry.valueTo);
    };
    const command = raw('command');
    const args = raw('args') ?? '[]';
    if (command === undefined || !/^["']/.test(command)) return undefined;
    return { command: unquoted(command), args: [...args.matchAll(/"(?:\\.|[^"\\])*"|'[^']*'/g)].map(([word]) => unquoted(word)) };
  };
  const isOurs = (text: string, scan: Scan): boolean => {
    const server = serverIn(text, scan);
    return server !== undefined && isOurServer(server);
  };

  function uninstall(text: string): McpEdit {
    const scan = scanToml(text);
    if (!scan.ok) return text.includes(NAME) ? scan : { ok: true, text };
    if (!isOurs(text, scan)) return { ok: true, text };
    let rest = text;
    for (const header of scan.headers.filter((one) => isWithin(one.path)).reverse()) rest = withoutTable(rest, scan, header.to);
    return { ok: true, text: rest === '' ? null : rest };
  }

  return {
    configFile,
    install(original, server) {
      const text = original ?? '';
      const scan = scanToml(text);
      if (!scan.ok) return scan;
      const there = serverIn(text, scan);
      if (there && isOurServer(there) && JSON.stringify(there) === JSON.stringify(server)) return { ok: true, text };
      const inTheWay = scan.entries.find((one) => isWithin(one.path) || (one.path.length === 1 && one.path[0] === table));
      if (inTheWay !== undefined && !isOurs(text, scan)) return taken(positionOf(text, inTheWay.from));
      const before = there === undefined ? { ok: true as const, text } : uninstall(text);
      if (!before.ok) return before;
      return { ok: true, text: appended(before.text ?? '', server) };
    },
    uninstall,
    installed(text) {
      const scan = scanToml(text);
      return (scan.ok && isOurs(text, scan) && serverIn(text, scan)) || null;
    },
    definitions(text) {
      const scan = scanToml(text);
      if (!scan.ok) return [];
      const within = scan.entries.filter(({ path: [first, name] }) => first === table && name !== undefined);
      const names = [...new Set(within.map(({ path: [, name] }) => name))];
      return names.map((name) => {
        const own = within.filter(({ path: at }) => at[1] === name);
        return JSON.stringify([name, own.map(({ path: at, valueFrom, valueTo }) => [at.slice(2), text.slice(valueFrom, valueTo)])]);
      });
    },
  };

  /** After a last line that nobody ended there is no empty line: so it is known how the file ended before. */
  function appended(text: string, { command, args }: McpServer): string {
    const eol = lineBreakOf(text);
    const gap = text === '' || text === '\uFEFF' ? '' : eol;
    const lines = [`[${path.join('.')}]`, `command = ${quotedToml(command)}`, `args = [${args.map(quotedToml).join(', ')}]`];
    return `${text}${gap}${lines.map((line) => line + eol).join('')}`;
  }
}

/** Without one table, the line break before it, and the line ends of its own lines. */
function withoutTable(text: string, scan: Scan, headerEnd: number): string {
  const lineStart = text.lastIndexOf('\n', headerEnd - 1) + 1;
  const next = scan.headers.find(({ to }) => to > headerEnd);
  const nextStart = next === undefined ? text.length : text.lastIndexOf('\n', next.to - 1) + 1;
  const last = scan.entries.findLast(({ from }) => from > headerEnd && from < nextStart);
  const lineEnd = /[^\n]*(?:\n|$)/y;
  lineEnd.lastIndex = last?.valueTo ?? headerEnd;
  lineEnd.test(text);
  const before = text.slice(0, lineStart).replace(/\r?\n$/, '');
  return (lineStart === 0 ? '' : before) + text.slice(lineEnd.lastIndex);
}
