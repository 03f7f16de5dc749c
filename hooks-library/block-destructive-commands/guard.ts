import { homedir } from 'node:os';
import { type Answer, commandOf, type Payload } from '../parts/payload.ts';
import { judgeCommand } from './judge.ts';

export default (payload: Payload): Answer => {
  const command = commandOf(payload);
  const finding =
    command === undefined ? undefined : judgeCommand(command, { cwd: payload.cwd, home: homedir(), repo: payload.piton.repo });
  if (!finding) return undefined;
  return { decision: finding.ask ? 'ask' : 'deny', reason: `Blocked, since ${finding.what}. ${finding.instead}` };
};
