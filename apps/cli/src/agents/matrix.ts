import { earliestContextEvent, MARKS, type MatrixCell, matrixOf, notesOf, PROVEN, proofOf } from '@piton/agents/proven';
import { type Agent, DECISION_NAMES, type EventName, type ProcessCount, type ProofPromise } from '@piton/contracts';
import { withCommandName } from '../command-name.ts';
import { type Context, printLine } from '../context.ts';
import { table } from '../output/table.ts';
import type { InstalledVersion } from '../versions/installed-version.ts';
import { type VersionJson, versionJson, versionNote } from '../versions/version-report.ts';

/** Everything known about one agent, for the list and for JSON. */
export interface AgentOverview {
  readonly agent: string;
  readonly title: string;
  /** Null for an unproven agent: no real run has been seen. */
  readonly version: string | null;
  /** What is on this machine, or null if its program is not. */
  readonly installed: (VersionJson & { readonly program: string; readonly note: string | null }) | null;
  readonly vendorPage: string;
  readonly files: { readonly user: readonly string[]; readonly project: readonly string[] };
  readonly contextFrom: EventName | null;
  readonly processes: ProcessCount | null;
  readonly promises: readonly ProofPromise[];
  readonly matrix: readonly MatrixCell[];
}

export function overviewOf(agent: Agent, here: InstalledVersion | undefined): AgentOverview {
  const proof = proofOf(PROVEN, agent);
  const matrix = matrixOf(agent, proof);
  const { installer } = agent;
  const labels = (scope: 'user' | 'project') =>
    scope === 'project' && installer.userOnly !== undefined ? [] : installer.configFiles(scope, {}).map(({ label }) => label);
  return {
    agent: agent.id,
    title: agent.title,
    version: agent.provenVersion,
    installed: here ? { ...versionJson(agent, here), program: here.program, note: versionNote(agent, here) ?? null } : null,
    vendorPage: agent.vendorPage,
    files: { user: labels('user'), project: labels('project') },
    contextFrom: earliestContextEvent(matrix) ?? null,
    processes: proof?.processes ?? null,
    promises: proof?.promises ?? [],
    matrix,
  };
}

const versionOf = ({ version }: AgentOverview): string => version ?? 'unproven';
const installedText = ({ installed }: AgentOverview): string => (installed === null ? '' : (installed.version ?? '?'));
const countOf = ({ matrix }: AgentOverview, ...results: MatrixCell['result'][]): number =>
  matrix.filter((cell) => cell.decision !== 'observe' && results.includes(cell.result)).length;

export function listAgents(context: Context, all: readonly AgentOverview[]): void {
  context.out(
    table(context, all, [
      { title: 'AGENT', value: (one) => one.agent },
      { title: 'NAME', value: (one) => one.title, narrow: 'left-out' },
      { title: 'SEEN IN VERSION', value: versionOf, colour: (one) => (one.version === null ? 'yellow' : undefined) },
      {
        title: 'INSTALLED',
        value: installedText,
        colour: ({ installed }) => (installed && installed.versionClass !== 'proven' ? 'yellow' : undefined),
      },
      { title: 'VERIFIED', value: (one) => String(countOf(one, 'verified')), align: 'right' },
      { title: 'DEGRADED', value: (one) => String(countOf(one, 'degraded', 'deferred')), align: 'right' },
      { title: 'NOT SEEN', value: (one) => String(countOf(one, 'not provoked', 'claimed, not seen')), align: 'right' },
      { title: 'CONTEXT FROM', value: (one) => one.contextFrom ?? '', narrow: 'left-out' },
      { title: 'FILE', value: (one) => one.files.user[0] ?? '', flexible: true, narrow: 'left-out' },
    ]),
  );
  printLine(context, withCommandName(context, `\nShow one: piton agents ${all[0]?.agent ?? '<name>'}`));
}

export function showAgent(context: Context, overview: AgentOverview): void {
  const { title, agent, files, processes, vendorPage, matrix, promises } = overview;
  printLine(
    context,
    `${context.paint('bold', title)} (${agent}), ${overview.version === null ? 'unproven: never seen in a real run' : `seen in version ${overview.version}`}`,
  );
  if (overview.installed) printLine(context, `installed  ${installedText(overview)}, ${overview.installed.program}`);
  if (overview.installed?.note) printLine(context, `           ${overview.installed.note}`);
  printLine(context, `files      ${files.user.join(', ')}; in a project ${files.project.join(', ') || 'none'}`);
  if (processes) printLine(context, `processes  ${processes.ours} per tool call (${processes.all} with all events registered)`);
  printLine(context, `docs       ${vendorPage}\n`);
  const events = [...new Set(matrix.map(({ event }) => event))];
  const markOf = (event: EventName, decision: string): string => {
    const cell = matrix.find((one) => one.event === event && one.decision === decision);
    return cell ? MARKS[cell.result] : '';
  };
  context.out(
    table(
      context,
      events,
      [
        { title: 'EVENT', value: (event) => event, whole: true },
        { title: 'received', value: (event) => markOf(event, 'observe') },
        ...DECISION_NAMES.filter((name) => name !== 'observe').map((name) => ({
          title: name,
          value: (event: EventName) => markOf(event, name),
        })),
      ],
      { gap: 1 },
    ),
  );
  printLine(context, '\n● verified  ◐ deferred  ◌ degraded  ○ could not be triggered  ? claimed, not seen  blank: not possible');
  for (const note of notesOf(matrix)) printLine(context, `- ${note.text} (${note.events.join(', ')})`);
  for (const { promise, how } of promises) printLine(context, `✓ ${promise}${how ? ` (${how})` : ''}`);
}
