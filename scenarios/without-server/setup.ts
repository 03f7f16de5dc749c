import { spawn } from 'node:child_process';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { placesOf } from '@piton/contracts/places';
import { killServers } from '@piton/testing';
import { type Sandbox, sandbox } from '../first-day/sandbox.ts';
import { type Asker, type Outcome, outcomeFor } from './agents.ts';
import { commandFor, type Environment } from './environments.ts';

export interface Stage extends Sandbox {
  readonly project: string;
}

const guard = (name: string, word: string) => ({
  name,
  event: 'pre_tool_use',
  command: `case "$PITON_TOOL_COMMAND" in *${word}*) echo "no ${word} here" >&2; exit 2;; esac`,
  fail_closed: true,
});

/** A person who has run `piton init`, with a required hook of their own and one of a project that they trust; or with none. */
export async function setUp(hooks: 'required' | 'none'): Promise<Stage> {
  const box = sandbox();
  const project = box.repository();
  if (hooks === 'required') {
    box.write('.config/piton/settings.json', JSON.stringify({ hooks: [guard('no-publish', 'publish')] }));
    box.write('work/.piton/settings.json', JSON.stringify({ hooks: [guard('no-deploy', 'deploy')] }));
  }
  await done(box, ['init', '--yes', '--agents', 'claude', '--no-git']);
  if (hooks === 'required') await done(box, ['trust', '--yes', '--all'], project);
  killServers({ places: placesOf(box.state, box.config) });
  return { ...box, project };
}

export async function done(box: Sandbox, args: readonly string[], cwd = box.home): Promise<string> {
  const { code, stdout, stderr } = await box.piton(args, { cwd });
  if (code !== 0) throw new Error(`piton ${args.join(' ')}: exit ${code}\n${stdout}${stderr}`);
  return stdout;
}

export interface Event {
  readonly asker: Asker;
  readonly payload: string;
  readonly cwd?: string;
}

const quoted = (text: string): string => `'${text.replaceAll("'", "'\\''")}'`;

/** What each agent outcomes, in the order of the events. All of them happen in one and the same environment, a few at a time. */
export async function sendEvents(stage: Stage, environment: Environment, events: readonly Event[]): Promise<Outcome[]> {
  const out = join(stage.home, 'outcomes');
  mkdirSync(out);
  const forwarder = join(stage.state, 'runtime', 'current', 'piton-forward');
  const env = Object.entries({ ...stage.env, ...environment.env }).map(([name, value]) => `${name}=${quoted(value ?? '')}`);
  const lines = events.map(({ asker, payload, cwd }, at) => {
    writeFileSync(join(out, `${at}.in`), payload);
    const call = `/usr/bin/env -i ${env.join(' ')} "$FORWARDER" ${asker.agent} ${asker.event} user 60000 -`;
    return `( cd ${quoted(cwd ?? stage.project)}; ${call} < ${out}/${at}.in > /proc/self/fd/8/${at}.out 2> /proc/self/fd/8/${at}.err; echo $? > /proc/self/fd/8/${at}.code ) &${at % 4 === 3 ? ' wait' : ''}`;
  });
  const script = join(stage.home, 'events.sh');
  const places = `STATE=${quoted(stage.state)}; CONFIG=${quoted(stage.config)}; FORWARDER=${quoted(forwarder)}`;
  // What is outcomes is written where it lies outside, also where the environment makes that read-only.
  writeFileSync(script, `${places}\n{ ${environment.enter}\n} || exit 99\n${lines.join('\n')}\nwait\n`);
  const args = ['-c', 'exec 8< "$1"; shift; exec "$@"', 'sh', out, ...commandFor(environment, script)];
  const ended = await new Promise<{ code: number | null; stderr: string }>((resolve) => {
    const child = spawn('/bin/sh', args, { env: stage.env, cwd: '/', stdio: ['ignore', 'ignore', 'pipe'] });
    let stderr = '';
    child.stderr.on('data', (data: Buffer) => (stderr += data.toString()));
    child.on('exit', (code) => resolve({ code, stderr })); // a server may hold its stderr
  });
  if (ended.code !== 0) throw new Error(`${environment.name}: exit ${ended.code}\n${ended.stderr}`);
  const text = (name: string): string => readFileSync(join(out, name), 'utf8');
  return events.map(({ asker }, at) =>
    outcomeFor(asker, { code: text(`${at}.code`).trim(), stdout: text(`${at}.out`), stderr: text(`${at}.err`) }),
  );
}
