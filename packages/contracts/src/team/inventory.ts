import type { TeamRepository } from './records.ts';

/** What is in force on a machine. The latest one counts. */
export interface TeamInventory {
  readonly at: string;
  readonly piton: string;
  readonly platform: string;
  readonly agents: readonly TeamAgent[];
  readonly hooks: readonly TeamHook[];
  readonly mcpServers: readonly TeamMcpServer[];
  readonly guard: TeamGuard;
}

export interface TeamAgent {
  readonly agent: string;
  /** As far as it was seen. */
  readonly versions: readonly string[];
  readonly registrations: readonly TeamRegistration[];
  /** The last test event that came through, by the machine's clock. */
  readonly canaryAt: string | null;
}
export interface TeamRegistration {
  readonly scope: 'user' | 'project';
  /** Null for the person's own. */
  readonly repository: TeamRepository | null;
  /** `gone`: nothing of what `piton init` wrote is there. `changed`: not all of it is. */
  readonly state: 'there' | 'changed' | 'gone' | 'unreadable';
}
export interface TeamHook {
  readonly hook: string;
  readonly scope: 'user' | 'project' | 'local';
  readonly repository: TeamRepository | null;
  readonly event: string;
  readonly mode: 'enforce' | 'shadow' | 'observe' | 'off';
  /** `sha256:` of what runs; null if it cannot be read. */
  readonly digest: string | null;
}
/** By a hash of its definition, which may name paths and hosts. */
export interface TeamMcpServer {
  readonly agent: string;
  readonly scope: 'user' | 'project';
  readonly repository: TeamRepository | null;
  readonly hash: string;
}
export interface TeamGuard {
  /** Of Piton's own files. */
  readonly builtIn: 'deny' | 'ask' | 'off';
  /** Variables that lift it are set. */
  readonly lifted: boolean;
}
