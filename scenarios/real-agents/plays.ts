import { join } from 'node:path';
import type { EventName } from '@piton/contracts';
import type { AgentTools, Facts, ModelTurn, Workspace } from '@piton/testing';
import { type Cell, nameOf, tokenOf } from './cells.ts';

/** What was seen of one play. */
export interface Seen {
  readonly facts: Facts;
  /** What the model read as the results of its calls. */
  readonly results: string;
}

/** What came of a decision. `told`: did the model read what the hook said, where that is not the decision itself? */
export interface Finding {
  readonly honoured: boolean;
  readonly told?: boolean;
}

/** Something that the model does in a session. */
export interface Scene {
  readonly turns: readonly ModelTurn[];
}

/** What it does so that a cell's hook can decide, and how to see what came of it. */
export interface Play extends Scene {
  readonly cell: Cell;
  judge(seen: Seen): Finding;
}

/** A tool by which an event can be brought about. */
interface Door {
  turns(name: string): readonly ModelTurn[];
  /** Did it do what it was called for? */
  ran(seen: Seen, name: string): boolean;
}

export const read = (facts: Facts, cell: Cell): boolean => facts.tokens[tokenOf(cell)] !== undefined;

const PRE: readonly EventName[] = ['pre_tool_use', 'pre_shell_execution', 'pre_mcp_execution', 'pre_read_file', 'pre_file_edit'];

const AFTER: readonly EventName[] = ['post_tool_use', 'post_shell_execution', 'post_mcp_execution', 'post_file_edit', 'todo_update'];

/** Undefined where the agent has no such tool. */
function doorOf(event: EventName, tools: AgentTools, repo: string): Door | undefined {
  const { mcp, read: readFile } = tools;
  if (event.includes('mcp')) return mcp && { turns: (name) => [mcp(name)], ran: (seen, name) => seen.results.includes(`echo: ${name}`) };
  if (event === 'pre_read_file')
    return (
      readFile && {
        turns: (name) => [readFile(join(repo, `${name}.md`))],
        ran: (seen, name) => seen.results.includes(contentOf(name)),
      }
    );
  const appeared = (seen: Seen, name: string) => seen.facts.appeared.includes(`${name}.txt`);
  if (event.endsWith('file_edit')) return { turns: (name) => [tools.write(join(repo, `${name}.txt`), 'written\n')], ran: appeared };
  return { turns: (name) => [tools.shell(`echo done > ${name}.txt`)], ran: appeared };
}

const contentOf = (name: string): string => `what stands in ${name}`;

/** Lays what can be read, for every cell that reads. */
export function writeFiles(workspace: Workspace): void {
  for (const decision of ['deny', 'ask', 'modify-before', 'modify-after', 'replace', 'allow', 'control']) {
    const name = `pre_read_file-${decision}`;
    workspace.write(join(workspace.repo, `${name}.md`), `${contentOf(name)}\n`);
  }
}

/** Undefined where nothing in a session with all permissions brings the cell about, or the agent lacks the tool. */
export function playOf(cell: Cell, tools: AgentTools, repo: string): Play | undefined {
  if (PRE.includes(cell.event)) return beforeTool(cell, tools, repo);
  if (cell.event === 'post_tool_use_failure') return afterFailure(cell, tools, repo);
  if (AFTER.includes(cell.event)) return afterTool(cell, tools, repo);
  if (nameOf(cell) === 'session_start-replace' || nameOf(cell) === 'user_prompt_submit-replace')
    return { cell, turns: [], judge: ({ facts }) => ({ honoured: read(facts, cell) }) };
  if (cell.event.startsWith('subagent_')) return inSubagent(cell, tools);
  return undefined;
}

function beforeTool(cell: Cell, tools: AgentTools, repo: string): Play | undefined {
  const door = doorOf(cell.event, tools, repo);
  const name = nameOf(cell);
  if (!door || cell.decision === 'allow') return undefined;
  if (cell.decision === 'modify')
    return {
      cell,
      turns: door.turns(`${name}-before`),
      judge: (seen) => ({ honoured: door.ran(seen, `${name}-after`) && !door.ran(seen, `${name}-before`) }),
    };
  if (cell.decision === 'replace')
    return { cell, turns: door.turns(name), judge: (seen) => ({ honoured: read(seen.facts, cell) && door.ran(seen, name) }) };
  const turns =
    cell.event === 'pre_file_edit' ? [...door.turns(name), tools.edit(join(repo, 'README.md'), '# demo', name)] : door.turns(name);
  return {
    cell,
    turns,
    judge: (seen) => ({
      honoured: !door.ran(seen, name) && !seen.facts.changed.includes('README.md'),
      told: read(seen.facts, cell),
    }),
  };
}

function afterTool(cell: Cell, tools: AgentTools, repo: string): Play | undefined {
  const name = nameOf(cell);
  const original = cell.event.includes('mcp') ? `echo: ${name}` : `original ${name}`;
  const turns =
    cell.event === 'todo_update'
      ? tools.todo && [tools.todo([{ text: name, done: false }])]
      : cell.event === 'post_tool_use' || cell.event === 'post_shell_execution'
        ? [tools.shell(`printf '%s %s\\n' original ${name}`)]
        : doorOf(cell.event, tools, repo)?.turns(name);
  if (!turns) return undefined;
  const replaced = (results: string): boolean => cell.decision !== 'rewrite' || !results.includes(original);
  return { cell, turns, judge: ({ facts, results }) => ({ honoured: read(facts, cell) && replaced(results) }) };
}

/** Which of these fail in a way that the agent tells its hooks differs: one is enough. */
function afterFailure(cell: Cell, tools: AgentTools, repo: string): Play {
  const name = nameOf(cell);
  const turns = [
    tools.shell(`echo ${name} >&2; exit 3`),
    ...(tools.read ? [tools.read(join(repo, `${name}-missing.md`))] : []),
    tools.edit(join(repo, `${name}-missing.txt`), 'one', 'two'),
  ];
  return { cell, turns, judge: ({ facts }) => ({ honoured: read(facts, cell) }) };
}

export const SUBTASK = 'SUBTASK';

/** A bit of everything that the agent's tools can do: its hooks hear of it, and decide nothing. */
export function broadScene(tools: AgentTools, repo: string): Scene {
  const readme = join(repo, 'README.md');
  return {
    turns: [
      tools.shell('echo plain'),
      tools.write(join(repo, 'plain.txt'), 'one\n'),
      tools.edit(join(repo, 'plain.txt'), 'one', 'two'),
      ...(tools.read ? [tools.read(readme), tools.read(join(repo, 'missing.md'))] : []),
      tools.shell('exit 3'),
      ...(tools.mcp ? [tools.mcp('plain')] : []),
      ...(tools.todo ? [tools.todo([{ text: 'plain', done: false }])] : []),
      ...(tools.subagent ? [tools.subagent(`${SUBTASK}: look around`)] : []),
    ],
  };
}

function inSubagent(cell: Cell, tools: AgentTools): Play | undefined {
  if (!tools.subagent) return undefined;
  const judge = ({ facts }: Seen): Finding => ({
    honoured: facts.requests.some(({ conversation, body }) => conversation === 'sub' && JSON.stringify(body).includes(tokenOf(cell))),
  });
  return { cell, turns: [tools.subagent(`${SUBTASK}: look around, ${nameOf(cell)}`)], judge };
}

/** Plays of a session in which the agent wants a permission for all that it does. */
export function permissionPlays(cells: readonly Cell[], tools: AgentTools, repo: string): (Play & { readonly control: Play })[] {
  return cells.flatMap((cell) => {
    const asks = cell.event === 'permission_request';
    const door = asks
      ? doorOf('pre_shell_execution', tools, repo)
      : cell.decision === 'allow'
        ? doorOf(cell.event, tools, repo)
        : undefined;
    if (!door) return [];
    const kind = asks ? 'pre_shell_execution' : cell.event;
    const controlName = `${kind}-control`;
    // Without a word from us: was there a question at all? If not, the run shows nothing.
    const control: Play = { cell, turns: door.turns(controlName), judge: (seen) => ({ honoured: !door.ran(seen, controlName) }) };
    const name = cell.decision === 'modify' ? `${nameOf(cell)}-before` : nameOf(cell);
    const judge = (seen: Seen): Finding => {
      if (cell.decision === 'allow') return { honoured: door.ran(seen, name) };
      if (cell.decision === 'modify') return { honoured: door.ran(seen, `${nameOf(cell)}-after`) && !door.ran(seen, name) };
      return { honoured: !door.ran(seen, name), told: read(seen.facts, cell) };
    };
    return [{ cell, turns: door.turns(name), judge, control }];
  });
}
