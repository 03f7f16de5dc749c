import type { Registry } from '@piton/hooks';

/** The message at a session start about hooks in this directory that do not run. */
export function sessionNotice(registry: Pick<Registry, 'list'>, cwd: string): string | undefined {
  const { hooks: decide, subscriptions } = registry.list({ cwd, sessionRoot: null });
  const hooks = [...decide, ...subscriptions];
  const untrusted = hooks.filter((hook) => hook.status.kind === 'not-trusted').map((hook) => hook.name);
  const changed = hooks.filter((hook) => hook.status.kind === 'changed').map((hook) => hook.name);
  const lines: string[] = [];
  if (untrusted.length > 0) lines.push(`Piton: not trusted, so not run: ${listed(untrusted)}. To review: piton trust`);
  if (changed.length > 0)
    lines.push(`Piton: changed since you trusted it, so the trusted copy runs: ${listed(changed)}. To compare: piton trust`);
  return lines.length > 0 ? lines.join('\n') : undefined;
}

const SHOWN = 5;
const LONGEST_NAME = 60;

/** The names come from a repository that nobody has reviewed, so they are quoted, filtered and shortened. */
function listed(names: readonly string[]): string {
  const plain = names.slice(0, SHOWN).map((name) => `"${name.replace(/[^\p{L}\p{N}\p{P}\p{S} ]/gu, '?').slice(0, LONGEST_NAME)}"`);
  return names.length > SHOWN ? `${plain.join(', ')} and ${names.length - SHOWN} more` : plain.join(', ');
}
