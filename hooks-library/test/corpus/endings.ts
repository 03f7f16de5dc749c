import { readFileSync } from 'node:fs';
import { claimsIn } from '../../verify-claims/claims.ts';
import { contradictionOf, type Evidence, type Fact } from '../../verify-claims/contradictions.ts';

/** The last answer of a turn, what was recorded, and which of its claims are wrong. */
export interface Ending {
  readonly agent: string;
  readonly says: string;
  /**
   * Oldest first: `T+`, `T-`, `T?` a test run that succeeded, failed, or whose end is not known; `C+`, `C-`, `C?` another command (`B`
   * a build, `L` a lint); `F` a file that a tool wrote; `G` a commit; `W` a file on disk that changed meanwhile, `E` one that did not.
   */
  readonly facts: readonly string[];
  readonly wrong: readonly string[];
  readonly isLater: boolean;
}

/** An ending of a real agent, recorded by scenarios/real-library/claims.test.ts: what it said, and what was in its ledger when it stopped. */
export interface RecordedEnding extends Ending {
  /** The kinds of claims that the hook called wrong at that moment, in shadow. */
  readonly told: readonly string[];
}

export const endings = (): Ending[] => [...endingsIn('verify-claims', false), ...endingsIn('verify-claims-later', true)];
export const recordedEndings = (): RecordedEnding[] => endingsIn('verify-claims-recorded', true);

const endingsIn = <One extends Ending>(name: string, isLater: boolean): One[] =>
  readFileSync(new URL(`./${name}.jsonl`, import.meta.url), 'utf8')
    .split('\n')
    .filter(Boolean)
    .map((line) => ({ ...(JSON.parse(line) as One), isLater }));

const PURPOSES = { T: 'test', B: 'build', L: 'lint', C: null } as const;
const ENDS = { '+': true, '-': false, '?': null } as const;

function evidenceOf(rows: readonly string[]): Evidence {
  const named = (mark: string): string[] => rows.filter((row) => row.startsWith(`${mark} `)).map((row) => row.slice(2));
  const isAt = (files: readonly string[], path: string): boolean => files.some((file) => file === path || path.endsWith(`/${file}`));
  return {
    facts: rows.flatMap((row): Fact[] => {
      const [mark = '', rest] = [row.slice(0, row.indexOf(' ')), row.slice(row.indexOf(' ') + 1)];
      if (mark === 'F') return [{ kind: 'file', path: `/proj/app/${rest}` }];
      if (mark === 'G') return [{ kind: 'commit', sha: rest.split(' ')[0] ?? '' }];
      const [kind, end] = [mark[0] as keyof typeof PURPOSES, mark[1] as keyof typeof ENDS];
      if (!(kind in PURPOSES) || !(end in ENDS)) return [];
      return [{ kind: 'command', command: rest, purpose: PURPOSES[kind], ok: ENDS[end], exitCode: end === '-' ? 1 : null }];
    }),
    fileAt: (path) => (isAt(named('W'), path) ? 'changed' : isAt(named('E'), path) ? 'older' : 'missing'),
    headMoved: rows.includes('H'),
  };
}

/** The kinds of claims that would be told to be wrong. */
export function foundWrong({ says, facts }: Ending): string[] {
  const evidence = evidenceOf(facts);
  const wrong = claimsIn(says).filter((claim) => contradictionOf(claim, evidence) !== undefined);
  return [...new Set(wrong.map(({ kind }) => kind))];
}

export interface EndingCount {
  readonly endings: number;
  readonly wrong: number;
  /** Of the claims that are wrong. */
  readonly found: number;
  readonly missed: number;
  /** Told to be wrong, and right. */
  readonly mistaken: number;
  readonly precision: number;
}

export function countEndings<One extends Ending>(
  some: readonly One[],
  toldOf: (ending: One) => readonly string[] = foundWrong,
): EndingCount {
  let [wrong, found, mistaken] = [0, 0, 0];
  for (const ending of some) {
    const told = toldOf(ending);
    wrong += ending.wrong.length;
    found += told.filter((kind) => ending.wrong.includes(kind)).length;
    mistaken += told.filter((kind) => !ending.wrong.includes(kind)).length;
  }
  return { endings: some.length, wrong, found, missed: wrong - found, mistaken, precision: found / Math.max(1, found + mistaken) };
}
