import { delimiter, dirname } from 'node:path';
import type { ToolResult } from '../model/protocol.ts';
import type { ModelScript } from '../model/script.ts';
import type { ModelRequest } from '../model/server.ts';
import type { AgentDriver } from './driver.ts';
import { type BedJob, type BedStep, MODEL_URL, type StepResult } from './job.ts';
import { runJob } from './runner.ts';
import { commitAll, type Workspace } from './workspace.ts';

/** A scenario with a real agent. */
export interface Story {
  readonly script: ModelScript;
  readonly prompt?: string;
  readonly flags?: readonly string[];
  readonly env?: Readonly<Record<string, string>>;
  readonly before?: readonly BedStep[];
  readonly during?: BedJob['during'];
  readonly after?: readonly BedStep[];
  readonly limitMs?: number;
  /** Give the agent a terminal. */
  readonly terminal?: boolean;
}

/** Facts of a run that do not come from the program under test. */
export interface Facts {
  readonly exit: number | string;
  readonly timedOut: boolean;
  readonly stdout: string;
  readonly stderr: string;
  /** Files of the repository that are new since the agent started. */
  readonly appeared: readonly string[];
  readonly changed: readonly string[];
  readonly requests: readonly ModelRequest[];
  /** Each `TOKEN_…` that the model read, and in which requests. */
  readonly tokens: Readonly<Record<string, readonly number[]>>;
  /** What the model read of its tool calls, each once, in order. */
  readonly toolResults: readonly ToolResult[];
  readonly agent: StepResult;
  step(name: string): StepResult;
}

export async function runAgent(driver: AgentDriver, workspace: Workspace, story: Story): Promise<Facts> {
  commitAll(workspace, 'Set up');
  const command = driver.command(story.prompt ?? 'Do the scripted work.', story.flags ?? []);
  const job: BedJob = {
    repo: workspace.repo,
    script: story.script,
    env: baseEnvironment(workspace),
    before: story.before ?? [],
    during: story.during ?? [],
    after: story.after ?? [],
    ...(driver.unawaited !== undefined && { answersAfter: driver.unawaited }),
    agent: {
      name: driver.pinned.id,
      argv: story.terminal ? onTerminal(command) : command,
      env: { ...driver.env(MODEL_URL), ...story.env },
      limitMs: story.limitMs ?? 60_000,
    },
  };
  const result = await runJob(job, workspace);
  const { filesBefore, filesAfter, agent, requests } = result;
  return {
    exit: agent.exit,
    timedOut: agent.timedOut,
    stdout: agent.stdout,
    stderr: agent.stderr,
    appeared: Object.keys(filesAfter).filter((path) => !(path in filesBefore)),
    changed: Object.keys(filesAfter).filter((path) => path in filesBefore && filesBefore[path] !== filesAfter[path]),
    requests,
    tokens: tokensIn(requests),
    toolResults: toolResultsIn(requests),
    agent,
    step(name) {
      const found = result.steps.find((step) => step.name === name);
      if (!found) throw new Error(`no step ${name} ran, only: ${result.steps.map((step) => step.name).join(', ')}`);
      return found;
    },
  };
}

/** A small environment, the same on every machine, without the directories of a package runner. */
export function baseEnvironment(workspace: Workspace): Record<string, string> {
  const path = (process.env.PATH ?? '').split(delimiter).filter((entry) => entry !== '' && !entry.includes('node_modules'));
  return {
    PATH: [dirname(process.execPath), ...path].join(delimiter),
    HOME: workspace.home,
    USER: 'test',
    TERM: 'dumb',
    LANG: 'C.UTF-8',
    NO_COLOR: '1',
    TMPDIR: workspace.state,
  };
}

const onTerminal = (argv: readonly string[]): [string, ...string[]] => ['script', '-qefc', argv.map(quote).join(' '), '/dev/null'];
const quote = (word: string): string => `'${word.replaceAll("'", `'\\''`)}'`;

function tokensIn(requests: readonly ModelRequest[]): Record<string, number[]> {
  const seen: Record<string, number[]> = {};
  for (const { n, body } of requests) {
    for (const token of new Set(JSON.stringify(body).match(/TOKEN_\w+/g))) seen[token] = [...(seen[token] ?? []), n];
  }
  return seen;
}

/** Every request repeats the conversation, so only the first occurrence of each call counts. */
function toolResultsIn(requests: readonly ModelRequest[]): ToolResult[] {
  const seen = new Map<string, ToolResult>();
  for (const result of requests.flatMap((request) => request.ask?.toolResults ?? []))
    if (!seen.has(result.call)) seen.set(result.call, result);
  return [...seen.values()];
}
