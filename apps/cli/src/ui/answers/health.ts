import type { PageHealth } from '@piton/contracts/page';
import { withCommandName } from '../../command-name.ts';
import { runChecks } from '../../doctor/all-checks.ts';
import { userHome } from '../../locations.ts';
import type { PageReader } from '../reader.ts';

const KEPT_MS = 10_000;
let kept: PageHealth | undefined;

/** What `piton doctor` finds. It asks programs, so it is not asked again at once. */
export async function answerHealth({ context, places }: PageReader): Promise<PageHealth> {
  if (kept !== undefined && Date.now() - kept.checkedAt < KEPT_MS) return kept;
  const found: PageHealth['problems'][number][] = [];
  for await (const { findings } of runChecks({ context, places, home: userHome(context) }))
    found.push(
      ...findings.map(({ kind, what, where, remedy }) => ({
        kind,
        problem: where ? `${what} (${where})` : what,
        fix: withCommandName(context, remedy),
      })),
    );
  kept = { checkedAt: Date.now(), ok: found.every(({ kind }) => kind === 'note'), problems: found };
  return kept;
}
