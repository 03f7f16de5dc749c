import { isReadOnly } from '@piton/shell';
import type { Claim } from './claims.ts';

/** A row of the ledger, as far as it matters here. */
export type Fact =
  | { readonly kind: 'file'; readonly path: string }
  | {
      readonly kind: 'command';
      readonly command: string;
      readonly purpose: 'test' | 'build' | 'lint' | null;
      readonly ok: boolean | null;
      readonly exitCode: number | null;
    }
  | { readonly kind: 'commit'; readonly sha: string };

export interface Evidence {
  /** Oldest first. */
  readonly facts: readonly Fact[];
  /** The file as it is on disk: changed since the session began, older than that, or not there. */
  readonly fileAt: (path: string) => 'changed' | 'older' | 'missing';
  /** HEAD has moved since the session began. */
  readonly headMoved: boolean;
}

/** What was recorded instead of what is claimed, for the model. Undefined where nothing says otherwise, or nobody knows. */
export function contradictionOf(claim: Claim, evidence: Evidence): string | undefined {
  switch (claim.kind) {
    case 'tests':
      return againstTests(evidence);
    case 'file':
      return againstFile(claim.path ?? '', evidence);
    case 'commit':
      return againstCommit(evidence);
  }
}

type Command = Extract<Fact, { kind: 'command' }>;
const commandsIn = ({ facts }: Evidence): Command[] => facts.filter((fact) => fact.kind === 'command');

function againstTests(evidence: Evidence): string | undefined {
  const commands = commandsIn(evidence);
  const last = commands.findLastIndex(({ purpose }) => purpose === 'test');
  const run = commands[last];
  if (run === undefined) {
    const known = commands.every((command) => isHarmless(command) || command.purpose === 'build' || command.purpose === 'lint');
    return known && evidence.facts.length > 0 ? 'no test run is recorded in this session' : undefined;
  }
  if (run.ok !== false) return undefined;
  // Something after it may have run them in a way that is not known.
  const later = commands.slice(last + 1).filter((command) => !isHarmless(command));
  if (later.some(({ command, ok }) => ok !== false && /test|spec|check|verify|\bci\b/i.test(command))) return undefined;
  return `the last test run, ${quoted(run.command)}, failed${run.exitCode === null ? '' : ` with exit code ${run.exitCode}`}`;
}

function againstFile(path: string, evidence: Evidence): string | undefined {
  const name = path.split('/').at(-1) ?? path;
  const isIt = (other: string): boolean => other === path || other.endsWith(`/${path.replace(/^\.?\//, '')}`) || path.endsWith(`/${other}`);
  if (evidence.facts.some((fact) => fact.kind === 'file' && isIt(fact.path))) return undefined;
  const at = evidence.fileAt(path);
  if (at === 'changed') return undefined;
  const others = commandsIn(evidence).filter((command) => !isHarmless(command));
  if (others.some(({ command }) => command.includes(name))) return undefined;
  if (at === 'older' && others.length > 0) return undefined;
  return `no tool wrote ${quoted(path)} in this session, and it ${at === 'missing' ? 'is not there' : 'has not changed since it began'}`;
}

/** Commands that may commit by another name: scripts, tasks, other version control. */
const MAY_COMMIT =
  /\b(?:commit|merge|rebase|cherry-pick|revert|am|pull|release|version|publish|jj|hg|gh|make|just|task|npm run|pnpm|yarn)\b|\.(?:sh|py|m?js|rb|pl)\b|^\.{0,2}\//i;

function againstCommit(evidence: Evidence): string | undefined {
  if (evidence.headMoved || evidence.facts.some(({ kind }) => kind === 'commit')) return undefined;
  const commands = commandsIn(evidence).filter((command) => !isHarmless(command));
  if (commands.some(({ command, ok }) => ok !== false && MAY_COMMIT.test(command))) return undefined;
  const failed = commands.findLast(({ command }) => /\bcommit\b/.test(command));
  if (failed === undefined) return 'no commit is recorded in this session';
  return `${quoted(failed.command)} failed${failed.exitCode === null ? '' : ` with exit code ${failed.exitCode}`}, and no commit is recorded`;
}

/** Whether a command only reads does not depend on where it runs. */
const NOWHERE = { cwd: '/', home: '/' };

/** It changed no file and committed nothing, as far as a reader of shell commands can tell. */
const isHarmless = ({ command, purpose }: Command): boolean => purpose === 'test' || isReadOnly(command, NOWHERE);

/** Inside quotes that it cannot end, on one line. */
const quoted = (text: string): string =>
  JSON.stringify((text.length > 120 ? `${text.slice(0, 119)}…` : text).replace(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]+/gu, ' '))
    .replace(/<(?=[/!?a-z])/gi, '\\u003c')
    .replace(/`/g, '\\u0060');
