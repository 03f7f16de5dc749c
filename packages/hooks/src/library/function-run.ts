import type { RunResult } from '../answer.ts';
import type { RunRequest } from '../hook-run.ts';
import type { HookFunction, HookPayload } from './hook.ts';

/** Runs a function as if it were a command: what it gives back is what a command would print. */
export async function runFunction(fn: HookFunction, request: RunRequest, signal: AbortSignal | undefined): Promise<RunResult> {
  const began = performance.now();
  const deadline = new AbortController();
  const timer = setTimeout(() => deadline.abort(new Error('its time is up')), Math.min(request.timeoutMs, 2 ** 31 - 1));
  const both = signal === undefined ? deadline.signal : AbortSignal.any([signal, deadline.signal]);
  const ended = (exitCode: number, stdout: string, stderr: string): RunResult => ({
    exitCode,
    timedOut: both.aborted && exitCode === -1,
    stdoutCut: false,
    stderrCut: false,
    notStarted: false,
    durationUs: BigInt(Math.round((performance.now() - began) * 1000)),
    stdout: Buffer.from(stdout),
    stderr: Buffer.from(stderr),
  });
  const cut = new Promise<'cut'>((resolve) => both.addEventListener('abort', () => resolve('cut'), { once: true }));
  try {
    // Its own copy of the payload: what it changes there changes nothing.
    const payload = JSON.parse(request.stdin) as HookPayload;
    const said = await Promise.race([called(fn, payload, { signal: both, env: request.set }), cut]);
    return said === 'cut' ? ended(-1, '', '') : ended(0, said.text, '');
  } catch (error) {
    return ended(1, '', error instanceof Error ? error.message : String(error));
  } finally {
    clearTimeout(timer);
  }
}

async function called(fn: HookFunction, payload: HookPayload, call: Parameters<HookFunction>[1]): Promise<{ text: string }> {
  return { text: answerText(await fn(payload, call)) };
}

/** Booleans and numbers are what `condition && answer` and `list.push(it)` leave: nothing was meant. */
function answerText(answer: unknown): string {
  if (typeof answer === 'string') return answer;
  if (answer === null || ['undefined', 'boolean', 'number'].includes(typeof answer)) return '';
  const text = JSON.stringify(answer) as string | undefined;
  if (text === undefined) throw new Error(`a ${typeof answer} is not an answer`);
  return text;
}
