import { randomBytes } from 'node:crypto';
import { agentFor, findAgent } from '@piton/agents';
import { monotonicUs, ulid } from '@piton/contracts';
import { pathPorts, repositoryOf } from '@piton/contracts/repository';
import type { RehearsalContext } from '@piton/lifecycle';

/** All agents, and this machine's repositories and clock. */
export const REHEARSAL_CONTEXT: RehearsalContext = {
  ...pathPorts(),
  findAgent,
  agentFor,
  repositoryOf,
  nowUs: monotonicUs,
  newStamp: () => ulid(Date.now(), randomBytes(10)),
};
