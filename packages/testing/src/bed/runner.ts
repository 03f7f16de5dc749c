import { spawn } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { build } from 'esbuild';
import { isolated } from './isolation.ts';
import type { BedJob, BedResult } from './job.ts';
import type { Workspace } from './workspace.ts';

let bundled: Promise<string> | undefined;

/** A test worker cannot move into a namespace itself, and Node 20 cannot run TypeScript: so one bundled program. */
async function bundle(): Promise<string> {
  const entry = fileURLToPath(new URL('./inside/bed-run.ts', import.meta.url));
  const { outputFiles } = await build({
    entryPoints: [entry],
    write: false,
    bundle: true,
    platform: 'node',
    format: 'esm',
    target: 'node20',
    logLevel: 'error',
  });
  const [file] = outputFiles;
  if (!file) throw new Error('esbuild gave no file');
  return file.text;
}

export async function runJob(job: BedJob, workspace: Workspace): Promise<BedResult> {
  const [program, jobFile, resultFile] = [
    join(workspace.root, 'bed-run.mjs'),
    join(workspace.root, 'job.json'),
    join(workspace.root, 'result.json'),
  ];
  bundled ??= bundle();
  writeFileSync(program, await bundled);
  writeFileSync(jobFile, JSON.stringify(job));
  const [command, ...args] = isolated([process.execPath, program, jobFile, resultFile]);
  // stdin stays open to show that the parent lives.
  const child = spawn(command, args, { cwd: workspace.repo, env: { ...job.env }, stdio: ['pipe', 'ignore', 'pipe'] });
  let stderr = '';
  child.stderr.setEncoding('utf8').on('data', (text: string) => {
    stderr += text;
  });
  const code = await new Promise<number | string>((resolve, reject) => {
    child.once('error', reject);
    child.once('exit', (exit, signal) => resolve(exit ?? signal ?? 'unknown'));
  });
  if (code !== 0) throw new Error(`the run inside the namespaces ended with ${code}: ${stderr}`);
  return JSON.parse(readFileSync(resultFile, 'utf8')) as BedResult;
}
