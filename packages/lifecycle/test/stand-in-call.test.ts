import { monotonicUs } from '@piton/contracts';
import type { HookDefinition, RunRequest, RunResult } from '@piton/hooks';
import { expect, it } from 'vitest';
import { decideFrame } from '../src/decide-frame.ts';
import { receiveFrame } from '../src/received-frame.ts';
import { decidingPorts } from './deciding-ports.ts';
import { frame } from './frames.ts';
import { recordedSession } from './recorded-session.ts';

const hook = (name: string, event: HookDefinition['event']): HookDefinition => ({
  ...{ id: `user:${name}`, name, scope: 'user', event, source: '/h', argv: [name], env: {}, matcher: '' },
  ...{ timeoutMs: 1000, enabled: true, observe: false, failClosed: false, injectOutput: undefined, may: [], root: null },
  status: { kind: 'ready' },
});

it('a denied command of Cline gives one failure, and none of it is about the command that stands in', async () => {
  const ran: string[] = [];
  const answer = async ({ argv, stdin }: RunRequest): Promise<RunResult> => {
    ran.push(`${argv[0]} ${(JSON.parse(stdin) as { tool_input: { command: string } }).tool_input.command}`);
    return {
      ...{ exitCode: argv[0] === 'guard' ? 2 : 0, timedOut: false, stdoutCut: false, stderrCut: false, notStarted: false, durationUs: 1n },
      ...{ stdout: Buffer.alloc(0), stderr: Buffer.from(argv[0] === 'guard' ? 'no' : '') },
    };
  };
  const hooks = [hook('guard', 'pre_shell_execution'), hook('failure', 'post_tool_use_failure'), hook('after', 'post_shell_execution')];
  const ports = decidingPorts(hooks, answer);
  const decide = async (nativeEvent: string, stdin: string): Promise<string> => {
    const received = receiveFrame(ports, frame(stdin, { agent: 'cline', nativeEvent, cwd: '/', monotonicUs: monotonicUs() }));
    await received.complete();
    const decided = await decideFrame(ports, received.prepare(), answer);
    await decided.afterwards?.(answer);
    return decided.encoded.answer.stdout;
  };
  const session = recordedSession('cline', '3.0.65/session');
  const at = session.findIndex(({ event, stdin }) => event === 'PreToolUse' && stdin.includes('exit 3'));
  const [before, after] = session.slice(at, at + 2);
  const { overrideInput } = JSON.parse(await decide('PreToolUse', before?.stdin ?? '')) as { overrideInput: { commands: string[] } };
  // What Cline reports is the call that it made in the end.
  const reported = JSON.parse(after?.stdin ?? '') as { tool_result: { input: unknown } };
  reported.tool_result.input = overrideInput;
  await decide('PostToolUse', JSON.stringify(reported));
  expect(ran).toEqual(['guard echo oops >&2; exit 3', 'failure echo oops >&2; exit 3']);
});
