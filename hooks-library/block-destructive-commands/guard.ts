import { homedir } from 'node:os';
import { judgeCommand } from './judge.ts';

interface Payload {
  readonly cwd: string;
  readonly tool_input?: { readonly command?: unknown };
  readonly piton: { readonly tool?: { readonly command?: string }; readonly repo: string | null };
}

export default ({ cwd, tool_input, piton }: Payload) => {
  const command = piton.tool?.command ?? tool_input?.command;
  if (typeof command !== 'string') return undefined;
  const finding = judgeCommand(command, { cwd, home: homedir(), repo: piton.repo });
  if (!finding) return undefined;
  return { decision: finding.ask ? 'ask' : 'deny', reason: `Blocked, since ${finding.what}. ${finding.instead}` };
};
