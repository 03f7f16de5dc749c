import { type LoggedCall, openCheckpoints } from '@piton/checkpoints';
import { readRepositories } from '@piton/checkpoints/repositories';
import { createGit } from '@piton/git';
import { leftOutName, leftOutReason } from '../checkpoints/rewind-report.ts';
import { oneLine, plural } from '../output/text.ts';
import { gitHere } from '../programs.ts';
import { type Check, type Finding, note, problem } from './finding.ts';

const RECENT_MS = 24 * 3_600_000;
const MOST_NAMED = 3;

/** What `piton rewind` could not bring back in the repositories that are watched. One that cannot be read does not hide the others. */
export const checkpointsCheck: Check = async ({ context, places }) => {
  const git = createGit(gitHere(context));
  const findings: Finding[] = [];
  for (const root of readRepositories(places.home)) {
    const opened = await openCheckpoints({ git, directory: root, home: places.home, redact: (text) => text, asFound: true }).catch(
      () => null,
    );
    if (opened === null) continue;
    const folders = opened.leftOutFolders();
    if (folders.length > 0)
      findings.push(
        note('checkpoints.left-out', {
          what: `in no checkpoint: ${folders.map((each) => `${leftOutName(each)} (${leftOutReason(each)})`).join(', ')}`,
          where: root,
          remedy: 'add them to .gitignore if they can be made again, or commit them',
        }),
      );
    const missing = opened.calls().filter(({ wayBack, atMs }) => wayBack.kind === 'none' && Date.now() - atMs < RECENT_MS);
    if (missing.length > 0) findings.push(noWayBack(root, missing));
  }
  return findings;
};

function noWayBack(root: string, missing: readonly LoggedCall[]): Finding {
  const turns = missing.filter(({ wholeTurn }) => wholeTurn).length;
  const counts = [
    ...(turns > 0 ? [plural(turns, 'turn')] : []),
    ...(missing.length > turns ? [plural(missing.length - turns, 'call')] : []),
  ];
  const reasons = [...new Set(missing.map(({ wayBack }) => ('why' in wayBack ? oneLine(wayBack.why) : '')))].slice(-MOST_NAMED);
  return problem('checkpoints.no-way-back', {
    what: `no way back before ${counts.join(' and ')} of the last 24 hours: ${reasons.join('; ')}`,
    where: root,
    remedy: 'what they changed cannot be undone with piton rewind. To list them: piton rewind --calls',
  });
}
