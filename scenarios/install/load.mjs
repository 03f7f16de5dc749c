// Calls the registered forwarder without a pause, as several agents would, until the stop file is there. One line of JSON for each
// call: `load.mjs <forwarder> <cwd> <results> <stop file> <session>`.
import { spawn } from 'node:child_process';
import { appendFileSync, existsSync, renameSync, writeFileSync } from 'node:fs';

const [forwarder, cwd, results, stop, session] = process.argv.slice(2);
const AT_ONCE = 3;
let count = 0;

function call() {
  const id = `${session}-${++count}`;
  // Every third must be denied, whoever answers.
  const command = count % 3 === 0 ? `forbidden ${id}` : `allowed ${id}`;
  const payload = { session_id: session, transcript_path: `${cwd}/.none/${session}.jsonl`, cwd, hook_event_name: 'PreToolUse' };
  const child = spawn(forwarder, ['claude', 'PreToolUse', 'user', '60000', 'CLAUDE_CODE_SESSION_ATTENDED'], {
    cwd,
    stdio: ['pipe', 'pipe', 'pipe'],
  });
  child.stdin.on('error', () => {});
  child.stdin.end(JSON.stringify({ ...payload, tool_name: 'Bash', tool_input: { command }, tool_use_id: id }));
  const said = { stdout: '', stderr: '' };
  for (const name of ['stdout', 'stderr']) child[name].on('data', (data) => (said[name] += data));
  return new Promise((resolve) => {
    child.on('error', (error) => resolve({ id, command, code: error.message, ...said }));
    child.on('close', (code) => resolve({ id, command, code, ...said }));
  });
}

async function work() {
  while (!existsSync(stop)) appendFileSync(results, `${JSON.stringify(await call())}\n`);
}
await Promise.all(Array.from({ length: AT_ONCE }, work));
writeFileSync(`${stop}.new`, '');
renameSync(`${stop}.new`, `${stop}.done`);
