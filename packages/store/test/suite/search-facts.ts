import type { EventRecord, SearchHit, SearchQuery } from '../../src/index.ts';
import { BASE_MS, event, stampOf } from '../records.ts';

const COUNT = 6000;

/** Repositories with directories, with another in one, and of a time before there was one. */
function placeOf(n: number): { readonly repo: string | null; readonly cwd: string } {
  const repo = `/code/r${n % 3}`;
  if (n % 3 === 0 && n % 7 === 0) return { repo: null, cwd: `${repo}/before` };
  if (n % 3 === 2 && n % 5 === 1) return { repo: `${repo}/vendor/x`, cwd: `${repo}/vendor/x` };
  return { repo, cwd: n % 4 === 1 ? `${repo}/sub` : repo };
}

/** What was recorded, and what a search finds is held against. */
export const FACTS = Array.from({ length: COUNT }, (_, n) => ({
  ...placeOf(n),
  n: n + 1,
  command: `${n % 29 === 0 ? 'zebras' : n % 31 === 0 ? 'horse' : 'zebra'} ${n % 701 === 0 ? 'stripe' : 'plain'} number${n}`,
  agent: n % 300 === 7 ? 'gemini' : n % 4 === 0 ? 'codex' : 'claude',
  branch: n < 1500 ? 'old' : n % 900 === 11 ? 'rare' : 'main',
  session: `ref-${Math.floor(n / 400)}-${n % 300 === 7 ? 'gemini' : n % 4 === 0 ? 'codex' : 'claude'}`,
  file: `/code/r${n % 3}/src/part-${n % 50}.ts`,
  derived: n % 97 === 0,
}));
type Fact = (typeof FACTS)[number];

export const factEvent = ({ n, command, file, ...rest }: Fact): EventRecord =>
  event(n, { event: 'pre_tool_use', tool: { command, files: [file] }, ...rest });

type Asked = readonly [query: SearchQuery, keeps: (fact: Fact) => boolean];

const at = (path: string): Asked => [{ path }, ({ repo, cwd }) => repo === path || cwd === path || cwd.startsWith(`${path}/`)];
const FILTERS: readonly Asked[] = [
  ...['codex', 'claude', 'gemini', 'nobody'].map((agent): Asked => [{ agent }, (f) => f.agent === agent]),
  ...['old', 'main', 'rare', 'none'].map((branch): Asked => [{ branch }, (f) => f.branch === branch]),
  ...['/code/r0', '/code/r1', '/code/r2', '/code/r1/sub', '/code/r2/vendor', '/code', '/code/r', '/code/r0/before'].map(at),
  [{ session: 'ref-3-claude' }, (f) => f.session === 'ref-3-claude'],
  [{ file: 'part-7.ts' }, (f) => f.file.endsWith('/part-7.ts')],
  [{ since: (BASE_MS + 5990) * 1000 }, (f) => f.n >= 5990],
  [{ since: (BASE_MS + 3000) * 1000 }, (f) => f.n >= 3000],
  [{ since: (BASE_MS + 9000) * 1000 }, () => false],
];
const PAIRS = FILTERS.flatMap(([query, keeps], n) =>
  FILTERS.slice(n + 1).map(([other, also]): Asked => [{ ...other, ...query }, (fact) => keeps(fact) && also(fact)]),
);
// Two filters of one kind are not a question.
const ASKED = [...FILTERS, ...PAIRS.filter(([query], n) => n % 3 === 0 && Object.keys(query).length === 2)];
const WORDS = {
  zebra: /zebra/,
  'zebra stripe': /zebra.* stripe/,
  stripe: /stripe/,
  'zebra number17': /zebra.* number17/,
  zeb: /zeb/,
};

/** Which filters and words find something else than what was recorded. */
export async function wrongAnswers(
  search: (text: string, query: SearchQuery) => Promise<readonly SearchHit[]> | readonly SearchHit[],
): Promise<unknown[]> {
  const wrong: unknown[] = [];
  for (const [query, keeps] of ASKED)
    for (const [text, has] of Object.entries(WORDS)) {
      const wanted = FACTS.filter((f) => !f.derived && has.test(f.command) && keeps(f)).map(({ n }) => stampOf(n));
      const stampsOf = async (more: SearchQuery) => (await search(text, { ...query, ...more })).map(({ event: hit }) => hit?.eventId);
      const newest = await stampsOf({ newest: true, limit: 20 });
      if (newest.join() !== wanted.toReversed().slice(0, 20).join())
        wrong.push({ query, text, newest: newest.length, wanted: wanted.length });
      const best = await stampsOf({ limit: 20 });
      if (best.length !== Math.min(20, wanted.length) || best.some((stamp) => !wanted.includes(stamp ?? '')))
        wrong.push({ query, text, best: best.length, wanted: wanted.length });
    }
  return wrong;
}
