import type { Socket } from 'node:net';
import { readExec, resultMessage } from '@piton/contracts';
import { runCommand } from '@piton/hooks/run';

/** Both outputs must fit one message. */
const OUTPUT_LIMIT = 31 * 1024 * 1024;
const PASSED_ON = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const;

/** Runs one command as the server says. A signal meant for us goes to the command first, and then ends us too. */
export async function runAndReport(socket: Socket, body: Buffer, signal: AbortSignal): Promise<void> {
  const exec = readExec(body);
  let group = 0;
  let passed: NodeJS.Signals | undefined;
  const passOn = (name: NodeJS.Signals): void => {
    passed = name;
    if (group > 0) process.kill(-group, name);
  };
  for (const name of PASSED_ON) process.on(name, passOn);
  const capped = { ...exec, stdoutCap: Math.min(exec.stdoutCap, OUTPUT_LIMIT), stderrCap: Math.min(exec.stderrCap, OUTPUT_LIMIT) };
  const result = await runCommand(capped, {
    signal,
    onStart: (started) => {
      group = started;
      if (passed !== undefined) passOn(passed);
    },
  });
  for (const name of PASSED_ON) process.removeListener(name, passOn);
  if (signal.aborted) return;
  await new Promise<void>((resolve) => socket.write(resultMessage(result), () => resolve()));
  if (passed !== undefined) {
    process.kill(process.pid, passed);
    await new Promise(() => undefined); // no further command may start
  }
}
