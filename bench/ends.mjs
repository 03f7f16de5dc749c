// What the end of an edit costs an agent beyond that of a call that changes nothing: the files that it names are read before it is answered
// (ADR 0140). Both ends in turns, in one repository, by the same server.
import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { ROOT } from '../scripts/sources.mjs';
import { fileName, makeRepository } from './many-files.mjs';
import { sideBySide } from './side-by-side.mjs';
import { plainEnvironment, post } from './stage.mjs';

const FILES = 1000;
const TOOLS = { Read: { limit: 10 }, Write: { content: 'x\n' }, Bash: { command: 'make it' } };

export async function printEnds(stage, spawner, { rounds, seed, ms, line }) {
  const directory = mkdtempSync(join(tmpdir(), 'piton-bench-ends-'));
  try {
    const root = makeRepository(directory, FILES);
    execFileSync(process.execPath, [join(ROOT, 'dist/cli.mjs'), 'init', '--yes', '--agent', 'claude'], {
      ...{ cwd: root, env: stage.env, stdio: 'pipe' },
    });
    // Only a session that is at work there has calls that end there.
    execFileSync(stage.places.forwarder, ['claude', 'UserPromptSubmit', 'user', '60000', '-'], {
      ...{ cwd: root, env: stage.env },
      input: JSON.stringify({ session_id: 'ends', hook_event_name: 'UserPromptSubmit', cwd: root, prompt: 'Do it' }),
    });
    await post(stage, '/v1/settle', { root });
    const endOf = ([tool, input]) => ({
      session_id: 'ends',
      hook_event_name: 'PostToolUse',
      cwd: root,
      tool_name: tool,
      tool_input: { ...input, ...(tool !== 'Bash' && { file_path: join(root, fileName(0)) }) },
      tool_response: {},
      tool_use_id: `toolu_${tool}`,
      transcript_path: '/home/dev/.claude/projects/-home-dev-app/bench.jsonl',
    });
    const candidates = Object.entries(TOOLS).map(([tool, input]) => ({
      name: `end of a ${tool}`,
      argv: [stage.places.forwarder, 'claude', 'PostToolUse', 'user', '60000', '-'],
      input: stage.file(`end-${tool}.json`, JSON.stringify(endOf([tool, input]))),
    }));
    console.log(`\nEnds of calls in a watched repository, ${rounds} rounds in random order, server warm`);
    const figures = sideBySide(spawner, candidates, { rounds, seed, env: plainEnvironment(), cwd: root });
    for (const [name, { median, p95 }] of figures) console.log(`  ${name.padEnd(58)} ${ms(median).padStart(12)}   p95 ${ms(p95)}`);
    const [read, write] = ['Read', 'Write'].map((tool) => figures.get(`end of a ${tool}`));
    const [more, slowest] = [write.median - read.median, write.p95 - read.p95];
    line('end of a Write beyond that of a Read', ms(more), '≤ 1 ms', more <= 1);
    console.log(`  ${'the same at p95'.padEnd(58)} ${ms(slowest).padStart(12)}`);
  } finally {
    rmSync(directory, { recursive: true, force: true });
  }
}
