import { readFileSync } from 'node:fs';
import { basename } from 'node:path';
import { AGENTS } from '@piton/agents';

type Environment = Readonly<Record<string, string | undefined>>;

/** Environment variables by which a process started by an agent is recognized. `!` marks exceptions. The last two belong to no agent. */
const MARKERS = [...AGENTS.flatMap(({ markers = [] }) => markers), 'AI_AGENT', 'PITON_RUN'];
const AGENT_MARKERS = MARKERS.filter((marker) => !marker.startsWith('!'));
const NOT_MARKERS = new Set(MARKERS.filter((marker) => marker.startsWith('!')).map((marker) => marker.slice(1)));

/** Names of agents' processes, including one agent that Piton does not support. */
const NAMES = new Set([...AGENTS.flatMap(({ id, aliases, programs = [], processes = [id, ...aliases, ...programs] }) => processes), 'amp']);
const INTERPRETERS = new Set(['node', 'bun', 'deno', 'MainThread']);

/** Allows tests and CI to use `--yes` under an agent. `doctor` reports when it is set. */
export const ALLOW_UNDER_AGENT = 'PITON_ALLOW_UNDER_AGENT';

/** How we know that an agent runs this command, or undefined. Not a security boundary: an agent can remove the evidence. */
export function evidenceOfAgent(env: Environment): string | undefined {
  if (env[ALLOW_UNDER_AGENT] === '1') return undefined;
  const marker = markerIn(env);
  if (marker) return `${marker} is set`;
  const parent = agentAmongParents();
  return parent ? `its parent process ${parent.pid} is ${parent.name}` : undefined;
}

function markerIn(env: Environment): string | undefined {
  return Object.keys(env).find(
    (name) =>
      env[name] !== undefined &&
      env[name] !== '' &&
      !NOT_MARKERS.has(name) &&
      AGENT_MARKERS.some((marker) => (marker.endsWith('*') ? name.startsWith(marker.slice(0, -1)) : name === marker)),
  );
}

function agentAmongParents(): { pid: number; name: string } | undefined {
  for (const pid of parentPids()) {
    const name = namesOf(pid).find((each) => NAMES.has(each));
    if (name) return { pid, name };
  }
  return undefined;
}

const MOST_PARENTS = 64;

/** The process that started this one, and its parents. */
export function parentPids(): number[] {
  const pids: number[] = [];
  for (let pid: number | undefined = process.ppid; pid !== undefined && pid > 1 && pids.length < MOST_PARENTS; pid = parentOf(pid))
    pids.push(pid);
  return pids;
}

/** The names under which a process runs. A script counts by its own name, not its interpreter's. */
function namesOf(pid: number): string[] {
  const comm = read(`/proc/${pid}/comm`).trim();
  const [program = '', script = ''] = read(`/proc/${pid}/cmdline`).split('\0');
  const names = [comm, basename(program)];
  if (INTERPRETERS.has(basename(program)) || INTERPRETERS.has(comm)) names.push(basename(script).replace(/\.[cm]?js$/, ''));
  return names;
}

function parentOf(pid: number): number | undefined {
  // The name in parentheses may contain anything, including parentheses: the fields start after the last one.
  const stat = read(`/proc/${pid}/stat`);
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
  const parent = Number(fields[1]);
  return Number.isInteger(parent) && parent > 0 ? parent : undefined;
}

function read(path: string): string {
  try {
    return readFileSync(path, 'utf8');
  } catch {
    return ''; // gone meanwhile, or no /proc here
  }
}
