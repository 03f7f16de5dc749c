import { readFileSync, renameSync, writeFileSync } from 'node:fs';
import { startModel } from '../../model/server.ts';
import { type BedJob, type BedResult, type BedStep, MODEL_PORT, type StepResult } from '../job.ts';
import { listFiles } from './file-list.ts';
import { noneWith } from './running-hooks.ts';
import { runStep } from './step.ts';

/** The process inside the namespaces: model and agent must share the network. `bed-run <job file> <result file>`. */
async function main(jobFile: string, resultFile: string): Promise<void> {
  const job = JSON.parse(readFileSync(jobFile, 'utf8')) as BedJob;
  const steps: StepResult[] = [];
  const run = async (wanted: readonly BedStep[]): Promise<void> => {
    for (const step of wanted) steps.push(await runStep(step, job.repo, job.env));
  };

  await run(job.before);
  let scripted = 0;
  const model = await startModel(job.script, {
    port: MODEL_PORT,
    onRequest: async (request) => {
      if (request.conversation === null) return;
      const number = scripted++;
      if (job.answersAfter !== undefined) await noneWith(job.answersAfter);
      for (const due of job.during) if (due.request === number) await run(due.steps);
    },
  });
  const filesBefore = listFiles(job.repo);
  const agent = await runStep(job.agent, job.repo, job.env);
  await run(job.after);
  const result: BedResult = { steps, agent, requests: model.requests, filesBefore, filesAfter: listFiles(job.repo) };
  writeFileSync(`${resultFile}.tmp`, JSON.stringify(result));
  renameSync(`${resultFile}.tmp`, resultFile);
  process.exit(0);
}

// The starter of the run holds the other end. When it is gone, nobody waits for the result.
process.stdin.resume().on('end', () => process.exit(98));

main(process.argv[2] ?? '', process.argv[3] ?? '').catch((error: unknown) => {
  process.stderr.write(`${error instanceof Error ? error.stack : String(error)}\n`);
  process.exit(97);
});
