import { appendFileSync, mkdirSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { type AgentProof, DECISION_NAMES, EVENTS, type ProcessCount, type ProofPromise, type ProofRow } from '@piton/contracts';

/** One result of a run. */
export type Shown = { readonly agent: string; readonly version: string } & (
  | { readonly row: ProofRow }
  | { readonly promise: ProofPromise }
  | { readonly processes: ProcessCount }
);

/** Saves a result in the directory `PITON_ROWS_TO`. Without the variable only the assertion counts. */
export function keep(shown: Shown, env: Readonly<Record<string, string | undefined>> = process.env): void {
  const directory = env.PITON_ROWS_TO;
  if (!directory) return;
  mkdirSync(directory, { recursive: true });
  // One file per worker, so that lines do not mix.
  appendFileSync(join(directory, `${process.pid}.jsonl`), `${JSON.stringify(shown)}\n`);
}

export function readShown(directory: string): Shown[] {
  const lines = readdirSync(directory).flatMap((name) => readFileSync(join(directory, name), 'utf8').split('\n'));
  return lines.filter(Boolean).map((line) => JSON.parse(line) as Shown);
}

/** Groups results by agent, in an order that does not depend on timing. */
export function proofsOf(shown: readonly Shown[]): AgentProof[] {
  const agents = [...new Set(shown.map(({ agent }) => agent))].sort();
  return agents.map((agent) => {
    const own = shown.filter((one) => one.agent === agent);
    const rows = own.flatMap((one) => ('row' in one ? [one.row] : []));
    const promises = own.flatMap((one) => ('promise' in one ? [one.promise] : []));
    return {
      agent,
      version: own[0]?.version ?? '',
      processes: own.flatMap((one) => ('processes' in one ? [one.processes] : []))[0] ?? null,
      promises: promises.sort((a, b) => (a.promise < b.promise ? -1 : 1)),
      rows: rows.sort((a, b) => rank(a) - rank(b)),
    };
  });
}

const rank = ({ event, decision }: ProofRow): number => EVENTS.indexOf(event) * 100 + DECISION_NAMES.indexOf(decision);

/** One line per row, for readable diffs. */
export function proofText(proofs: readonly AgentProof[]): string {
  const lines = (list: readonly object[]): string => list.map((one) => `\n      ${JSON.stringify(one)}`).join(',');
  const blocks = proofs.map(({ agent, version, processes, promises, rows }) =>
    [
      '  {',
      `    "agent": ${JSON.stringify(agent)},`,
      `    "version": ${JSON.stringify(version)},`,
      `    "processes": ${JSON.stringify(processes)},`,
      `    "promises": [${lines(promises)}`,
      '    ],',
      `    "rows": [${lines(rows)}`,
      '    ]',
      '  }',
    ].join('\n'),
  );
  return `[\n${blocks.join(',\n')}\n]\n`;
}
