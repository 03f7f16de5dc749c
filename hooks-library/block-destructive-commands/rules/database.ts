import type { Call } from '@piton/shell';
import { type Finding, operandsOf, type Rule, type Rules } from '../rule.ts';
import { isAlwaysTrue } from './condition.ts';

const INSTEAD = 'Work on a copy or in a transaction that you roll back, or let the person do it.';

/** Without comments, and with numbers for strings: `select 'drop table x'` drops nothing, and `'a' = 'a'` is true. */
function bare(sql: string): string {
  const strings: string[] = [];
  return sql.replace(/--[^\n]*|\/\*[^*]*(?:\*(?!\/)[^*]*)*\*\/|'[^']*'/g, (part) => {
    if (!part.startsWith("'")) return ' ';
    if (/^'%+'$/.test(part)) return part;
    if (!strings.includes(part)) strings.push(part);
    return ` '${strings.indexOf(part)}' `;
  });
}

/** Is no row left out? `LIMIT` leaves some out. */
function takesAll(statement: string): boolean {
  const condition = /\bwhere\b(.*)$/is.exec(statement)?.[1];
  return condition === undefined || (!/\blimit\b/i.test(condition) && isAlwaysTrue(condition.replace(/\breturning\b.*$/is, '')));
}

const isRolledBack = (sql: string): boolean => /^\s*(?:begin|start transaction)\b(?!.*\bcommit\b).*\brollback\s*;?\s*$/is.test(sql);

export function sqlFinding(sql: string): Finding | undefined {
  const text = bare(sql);
  if (isRolledBack(text)) return undefined;
  for (const statement of text.split(';')) {
    const words: readonly string[] = statement.toLowerCase().match(/[a-z_]+/g) ?? [];
    if (words[0] === 'explain' && !words.includes('analyze')) continue;
    const at = (word: string): number => words.indexOf(word);
    const drops = at('drop') >= 0 && /^(?:database|schema|table|tablespace|user|role|column|owned)$/.test(words[at('drop') + 1] ?? '');
    if (drops) return { what: `the statement drops a ${words[at('drop') + 1]}`, instead: INSTEAD };
    const deletes = at('delete') >= 0 && words[at('delete') + 1] === 'from';
    if (words[0] === 'truncate') return { what: 'the statement empties a table', instead: INSTEAD };
    if (deletes && takesAll(statement.slice(statement.toLowerCase().indexOf('delete'))))
      return { what: 'the statement deletes every row of a table', instead: `${INSTEAD} Or add a WHERE.` };
    if (words[0] === 'update' && at('set') > 0 && takesAll(statement))
      return { what: 'the statement changes every row of a table', instead: `${INSTEAD} Or add a WHERE.` };
  }
  return undefined;
}

/** The SQL on the command line, as an option's value or an argument, and on stdin. */
const client: Rule = ({ args, stdin }) => {
  for (const text of [...args.map((arg) => arg.replace(/^(?:-[ce]|--(?:command|execute)=)/, '')), stdin ?? '']) {
    const finding = /\s/.test(text) ? sqlFinding(text) : undefined;
    if (finding) return finding;
  }
  return undefined;
};

const inTest = ({ variables }: Call): boolean => Object.entries(variables).some(([name, value]) => /_ENV$/.test(name) && value === 'test');
const resets =
  (pattern: RegExp): Rule =>
  (call) =>
    pattern.test(call.args.join(' ')) && !inTest(call)
      ? { what: 'it throws the database away', instead: `${INSTEAD} For tests set the environment to test.` }
      : undefined;

const RAILS = resets(/\bdb:(?:drop|reset|purge|migrate:reset|schema:load)\b/);

const mongo: Rule = ({ args, stdin }) =>
  /dropDatabase\s*\(|\.drop\s*\(\s*\)|deleteMany\s*\(\s*\{\s*\}\s*\)/.test([...args, stdin].join(' '))
    ? { what: 'it drops what is in the database', instead: INSTEAD }
    : undefined;

const CLIENTS = /^(?:psql|mysql|mariadb|sqlite3|mongosh?|redis-cli|clickhouse-client|cockroach)$/;

/** `docker exec db psql -c …`: the data is the same, wherever the client runs. Paths in a container are not judged. */
export function statementInContainer(program: string, args: readonly string[]): Finding | undefined {
  const at = args.findIndex((arg) => CLIENTS.test(arg));
  if (!/^(?:docker|podman|docker-compose|podman-compose|kubectl)$/.test(program) || at < 0 || !args.slice(0, at).includes('exec'))
    return undefined;
  const call: Call = { program: args[at] ?? '', args: args.slice(at + 1), variables: {}, cwd: '/', writes: [] };
  return DATABASE[call.program]?.(call, { cwd: '/', home: '/' });
}

export const DATABASE: Rules = {
  psql: client,
  mysql: client,
  mariadb: client,
  sqlite3: client,
  duckdb: client,
  sqlcmd: client,
  clickhouse: client,
  'clickhouse-client': client,
  cockroach: client,
  dropdb: () => ({ what: 'it drops a database', instead: INSTEAD }),
  mysqladmin: ({ args }) => (operandsOf(args).includes('drop') ? { what: 'it drops a database', instead: INSTEAD } : undefined),
  mongosh: mongo,
  mongo,
  supabase: resets(/\bdb reset\b/),
  'redis-cli': ({ args, stdin }) =>
    /\bflush(?:all|db)\b/i.test([...args, stdin].join(' ')) ? { what: 'it empties the database', instead: INSTEAD } : undefined,
  rails: RAILS,
  rake: RAILS,
  bundle: RAILS,
  prisma: resets(/\bmigrate reset\b|\bdb push\b.*--(?:force-reset|accept-data-loss)/),
  php: resets(/\bartisan (?:migrate:(?:fresh|reset|refresh)|db:wipe)\b/),
  artisan: resets(/\b(?:migrate:(?:fresh|reset|refresh)|db:wipe)\b/),
  python: resets(/\bmanage\.py (?:flush|reset_db)\b/),
  python3: resets(/\bmanage\.py (?:flush|reset_db)\b/),
  sequelize: resets(/\bdb:drop\b/),
};
