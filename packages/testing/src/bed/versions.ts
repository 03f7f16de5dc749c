import { agentDirectory, type PinnedAgent, pinnedAgent } from './agents.ts';
import type { AgentDriver } from './driver.ts';

/** A version other than the pinned one that is driven for real. */
export interface OtherVersion {
  readonly id: string;
  readonly version: string;
}

/** Where what `piton init` writes changes, and how far back it works: the oldest first. The first of each agent is also driven in CI. */
export const EDGES: readonly OtherVersion[] = [
  { id: 'claude', version: '2.1.72' },
  { id: 'claude', version: '2.1.101' },
  { id: 'claude', version: '2.1.133' },
  { id: 'claude', version: '2.1.139' },
  { id: 'codex', version: '0.134.0' },
  { id: 'codex', version: '0.143.0' },
  { id: 'codex', version: '0.150.0' },
  { id: 'gemini', version: '0.35.3' },
  { id: 'gemini', version: '0.47.0' },
  { id: 'copilot', version: '1.0.40' },
  { id: 'copilot', version: '1.0.70' },
  { id: 'opencode', version: '1.2.27' },
  { id: 'opencode', version: '1.15.13' },
  { id: 'pi', version: '0.74.2' },
  { id: 'pi', version: '0.80.10' },
  { id: 'kimi', version: '0.26.0' },
  { id: 'omp', version: '17.2.15' },
  { id: 'qwen', version: '0.21.2' },
  { id: 'cline', version: '3.0.57' },
  { id: 'kilo', version: '7.0.33' },
  { id: 'kilo', version: '7.7.2' },
  { id: 'droid', version: '0.105.1' },
  { id: 'droid', version: '0.117.0' },
  { id: 'grok', version: '1.0.5' },
  { id: 'auggie', version: '0.16.2' },
  { id: 'auggie', version: '0.25.2' },
];

/** The oldest of each agent. */
export const CI_EDGES: readonly OtherVersion[] = EDGES.filter(({ id }, at) => EDGES.findIndex((edge) => edge.id === id) === at);

export const atVersion = ({ id, version }: OtherVersion): PinnedAgent => ({ ...pinnedAgent(id), version });

/** The same agent, with the program of another version in its command lines. */
export function driverAt(driver: AgentDriver, version: string): AgentDriver {
  const other = { ...driver.pinned, version };
  const [from, to] = [agentDirectory(driver.pinned), agentDirectory(other)];
  const moved = (argv: readonly [string, ...string[]]): readonly [string, ...string[]] =>
    argv.map((word) => word.replace(from, to)) as [string, ...string[]];
  return {
    ...driver,
    pinned: other,
    command: (prompt, flags) => moved(driver.command(prompt, flags)),
    env: (modelUrl) => ({ ...driver.env(modelUrl), ...(version !== driver.pinned.version && driver.olderEnv?.(modelUrl)) }),
  };
}
