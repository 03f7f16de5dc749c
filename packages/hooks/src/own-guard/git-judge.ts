import type { Finding } from './finding.ts';
import { GIT_READERS } from './habits.ts';
import { type Call, changes, type Grounds, textOf } from './named-place.ts';
import { segmentsOf } from './path-segments.ts';

const WITH_VALUE = new Set(['-C', '-c', '--git-dir', '--work-tree', '--namespace', '--exec-path', '--config-env', '--super-prefix']);

/** What git does depends on its command; `-C` says where. */
export function judgeGit(call: Call, grounds: Grounds): Finding | undefined {
  let { cwd } = call;
  let at = 0;
  for (; at < call.words.length && textOf(call.words[at]).startsWith('-'); at++) {
    const option = textOf(call.words[at]);
    if (!WITH_VALUE.has(option)) continue;
    at += 1;
    if (option === '-C' && cwd !== null) cwd = `/${segmentsOf(textOf(call.words[at]), cwd).names.join('/')}`;
  }
  const command = textOf(call.words[at]);
  const rest = call.words.slice(at + 1);
  const forced = command === 'reset' && rest.some((said) => textOf(said) === '--hard');
  if (GIT_READERS.has(command) && !forced) return undefined;
  return changes({ name: `git ${command}`, cwd }, [...rest, ...(call.handed.length > 0 ? [call.handed] : [])], grounds);
}
