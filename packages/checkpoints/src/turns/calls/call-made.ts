import { homedir } from 'node:os';
import { resolve } from 'node:path';
import type { CanonicalEvent, Tool } from '@piton/contracts';
import { announcedBy } from '../../authors/announced.ts';
import { filesNamedIn, leavesRunning } from '../../authors/named-files.ts';
import type { AgentProcess } from '../agent-process.ts';
import type { CallMade } from '../messages.ts';
import { callOf } from '../turn-repositories.ts';
import { namesItsFiles } from './call-effect.ts';

interface CallPlace extends Pick<CanonicalEvent, 'cwd'> {
  readonly root: string | null;
  readonly process: AgentProcess | undefined;
}

/** How a call is followed until its end. */
export function callMade(tool: Tool, { cwd, root, process }: CallPlace): CallMade {
  const call = { key: callOf(tool), process, ...(leavesRunning(tool) && { stays: true as const }) };
  if (tool.kind === 'subagent') return { ...call, reach: 'all', files: [], patterns: [] };
  if (namesItsFiles(tool)) {
    const announced = [...announcedBy(tool)].map(([file, says]) => [resolve(cwd, file), says] as const);
    return { ...call, reach: 'named', files: tool.files.map((file) => resolve(cwd, file)), patterns: [], announced };
  }
  return { ...call, reach: 'any', ...filesNamedIn(tool.input, { cwd, root, home: homedir() }) };
}
