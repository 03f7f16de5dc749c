import type { EventRecord } from '@piton/store';
import { DENIED, event, OBSERVED } from '../packages/store/test/records.ts';

export { openStore } from '@piton/store';

const PER_SESSION = 50;
/** Of every so many events one is rare. */
const RARE = 50_000;

/** The n-th event of a store that an eager person has: sessions of fifty events, mostly tools, a few denials, long texts now and then. */
export function record(n: number): EventRecord {
  const session = `session-${Math.floor(n / PER_SESSION)}`;
  const cwd = `/code/repository-${n % 7}`;
  const base = { session, cwd, repo: cwd, agent: n % 5 === 0 ? 'codex' : 'claude' };
  const at = n % PER_SESSION;
  if (n % RARE === RARE - 1) return event(n, { ...base, event: 'pre_compact', source: 'manual' });
  if (n % RARE === RARE - 2)
    return event(n, { ...base, event: 'pre_tool_use', tool: { name: 'mcp__wiki__read', nativeName: 'mcp__wiki__read', kind: 'mcp' } });
  if (at === 0)
    return event(n, {
      ...base,
      event: 'user_prompt_submit',
      prompt: `Change the parser, part ${n}. ${'word '.repeat(n % 1000 === 0 ? 16_000 : 20)}`,
    });
  if (at === PER_SESSION - 1) return event(n, { ...base, event: 'stop', text: 'All of it is done. '.repeat(10) });
  const tool = { useId: `call-${n - (n % 2)}`, command: `npm test -- --only part-${n - (n % 2)}`, files: [`${cwd}/src/part-${n}.ts`] };
  const payload = { session_id: session, tool_input: { command: tool.command }, output: 'x'.repeat(1500) };
  const outcome = n % 400 === 2 ? DENIED : OBSERVED;
  return event(n, { ...base, event: n % 2 === 0 ? 'pre_tool_use' : 'post_tool_use', tool, payload, outcome });
}
