import { homedir } from 'node:os';
import { walkCommand } from '@piton/shell';
import { type Answer, commandOf, type Payload } from '../parts/payload.ts';
import { listed } from '../parts/secrets/find-secrets.ts';
import { commitsIn } from './commits.ts';
import { secretsToCommit } from './staged.ts';

const INSTEAD =
  'Take it out of the file, read it from the environment instead, and stage again. If it is no secret, a person can mark the line with "gitleaks:allow".';

export default async (payload: Payload, { signal }: { readonly signal: AbortSignal }): Promise<Answer> => {
  const command = commandOf(payload);
  if (command === undefined || !command.includes('git')) return undefined;
  const { calls } = walkCommand(command, { cwd: payload.cwd, home: homedir(), repo: payload.piton.repo });
  for (const commit of commitsIn(calls)) {
    const secrets = await secretsToCommit(commit, signal);
    if (secrets.length > 0)
      return { decision: 'deny', reason: `Blocked, since this would commit a secret: ${listed(secrets)}. ${INSTEAD}` };
  }
  return undefined;
};
