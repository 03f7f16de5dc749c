// Runs the steps of `.steps.json` one after the other, inside the machine, and writes what each printed.
import { spawnSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';

const steps = JSON.parse(readFileSync('.steps.json', 'utf8'));
const ran = steps.map(({ run: [program, ...args], cwd, input, env }) => {
  const { status, stdout, stderr, error } = spawnSync(program, args, {
    ...{ cwd, input: input ?? '', encoding: 'utf8', timeout: 240_000 },
    env: { ...process.env, ...env },
  });
  return { code: status, stdout: stdout ?? '', stderr: error ? String(error) : stderr };
});
writeFileSync('.results.json', JSON.stringify(ran));
