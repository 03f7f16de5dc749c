import { spawn, spawnSync } from 'node:child_process';

export const hasTerminal = spawnSync('script', ['--version']).status === 0;
const LIMIT_S = 90;

/** Runs a script on a terminal, where Piton asks. Each question gets its answer, or a yes, once it is there: a person types it no sooner. */
export function runOnTerminal(
  file: string,
  cwd: string,
  env: NodeJS.ProcessEnv,
  answers: readonly string[] = [],
): Promise<{ readonly code: number | null; readonly output: string }> {
  const child = spawn('script', ['-qec', `timeout --foreground ${LIMIT_S} bash ${file}`, '/dev/null'], { cwd, env });
  let output = '';
  let answered = 0;
  let questions = 0;
  child.stdout.setEncoding('utf8').on('data', (text: string) => {
    output += text;
    if (!/(\[y\/N\]|marked:) $/.test(output) || output.length === answered) return;
    answered = output.length;
    child.stdin.write(`${answers[questions++] ?? 'y'}\n`);
  });
  return new Promise((resolve) => child.on('close', (code) => resolve({ code, output })));
}
