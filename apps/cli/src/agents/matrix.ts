import { earliestContextEvent, MARKS, type MatrixCell, matrixOf, notesOf, PROVEN, proofOf } from '@piton/agents/proven';
import { type Agent, DECISION_NAMES, type EventName, type ProcessCount, type ProofPromise } from '@piton/contracts';
import { spelled } from '../command-name.ts';
import { type Context, say, tell } from '../context.ts';
import { table } from '../output/table.ts';

/** All that is known of one agent, for a listing or as JSON. */
export interface AgentSight {
  readonly agent: string;
  readonly title: string;
  /** Null: unproven, nothing of it was seen. */
  readonly version: string | null;
  readonly vendorPage: string;
  readonly files: { readonly user: readonly string[]; readonly project: readonly string[] };
  readonly contextFrom: EventName | null;
  readonly processes: ProcessCount | null;
  readonly promises: readonly ProofPromise[];
  readonly matrix: readonly MatrixCell[];
}

export function sightOf(agent: Agent): AgentSight {
  const proof = proofOf(PROVEN, agent);
  const matrix = matrixOf(agent, proof);
  const labels = (scope: 'user' | 'project') => agent.installer.configFiles(scope, {}).map(({ label }) => label);
  return {
    agent: agent.id,
    title: agent.title,
    version: agent.provenVersion,
    vendorPage: agent.vendorPage,
    files: { user: labels('user'), project: labels('project') },
    contextFrom: earliestContextEvent(matrix) ?? null,
    processes: proof?.processes ?? null,
    promises: proof?.promises ?? [],
    matrix,
  };
}

const versionOf = ({ version }: AgentSight): string => version ?? 'unproven';
const countOf = ({ matrix }: AgentSight, ...results: MatrixCell['result'][]): number =>
  matrix.filter((cell) => cell.decision !== 'observe' && results.includes(cell.result)).length;

export function listAgents(context: Context, all: readonly AgentSight[]): void {
  context.out(
    table(context, all, [
      { title: 'AGENT', value: (one) => one.agent },
      { title: 'NAME', value: (one) => one.title, narrow: 'left-out' },
      { title: 'SEEN IN VERSION', value: versionOf, colour: (one) => (one.version === null ? 'yellow' : undefined) },
      { title: 'VERIFIED', value: (one) => String(countOf(one, 'verified')), align: 'right' },
      { title: 'DEGRADED', value: (one) => String(countOf(one, 'degraded', 'deferred')), align: 'right' },
      { title: 'NOT SEEN', value: (one) => String(countOf(one, 'not provoked', 'claimed, not seen')), align: 'right' },
      { title: 'CONTEXT FROM', value: (one) => one.contextFrom ?? '' },
      { title: 'FILE', value: (one) => one.files.user[0] ?? '', flexible: true },
    ]),
  );
  say(context, spelled(context, `\nShow one: piton agents ${all[0]?.agent ?? '<name>'}`));
}

export function showAgent(context: Context, sight: AgentSight): void {
  const { title, agent, files, processes, vendorPage, matrix, promises } = sight;
  say(
    context,
    `${context.paint('bold', title)} (${agent}), ${sight.version === null ? 'unproven: never seen in a real run' : `seen in version ${sight.version}`}`,
  );
  say(context, `files      ${files.user.join(', ')}; in a project ${files.project.join(', ')}`);
  if (processes) say(context, `processes  ${processes.ours} per tool call (${processes.all} with all events registered)`);
  say(context, `docs       ${vendorPage}\n`);
  const events = [...new Set(matrix.map(({ event }) => event))];
  const markOf = (event: EventName, decision: string): string => {
    const cell = matrix.find((one) => one.event === event && one.decision === decision);
    return cell ? MARKS[cell.result] : '';
  };
  context.out(
    table(context, events, [
      { title: 'EVENT', value: (event) => event },
      { title: 'heard', value: (event) => markOf(event, 'observe') },
      ...DECISION_NAMES.filter((name) => name !== 'observe').map((name) => ({
        title: name,
        value: (event: EventName) => markOf(event, name),
      })),
    ]),
  );
  tell(context, '\n● verified  ◐ deferred  ◌ degraded  ○ could not be triggered  ? claimed, not seen  blank: not possible');
  for (const note of notesOf(matrix)) tell(context, `- ${note.text} (${note.events.join(', ')})`);
  for (const { promise, how } of promises) tell(context, `✓ ${promise}${how ? ` (${how})` : ''}`);
}
