import { type ChildProcess, execFileSync } from 'node:child_process';
import { appendFileSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { type Sandbox, sandbox } from '../first-day/sandbox.ts';

/** A home with agents that Piton knows, a repository in which they work, and the page that shows it. */
export interface PageStage {
  readonly box: Sandbox;
  readonly work: string;
  git(...args: string[]): string;
  piton(...args: string[]): Promise<string>;
  /** As an agent calls its hook; what it is answered. */
  fire(agent: string, event: string, payload: object): string;
  /** A recorded session of the demo, in this repository. */
  replay(agent: string): void;
  write(path: string, text: string): void;
  transcript(session: string, type: 'user' | 'assistant', message: object): void;
  openPage(): Promise<{ readonly link: string; newLink(): Promise<string>; stop(): Promise<void> }>;
  end(): Promise<void>;
}

/** For pictures, on which a day should not last two seconds. */
const PACE_MS = Number(process.env.PITON_PAGE_PACE_MS ?? 0);
function pace(): void {
  if (PACE_MS > 0) Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, PACE_MS);
}

const SESSIONS = new URL('../../apps/cli/src/demo/sessions/', import.meta.url);
const AUTHOR = {
  GIT_AUTHOR_NAME: 'Ada',
  GIT_AUTHOR_EMAIL: 'ada@example.com',
  GIT_COMMITTER_NAME: 'Ada',
  GIT_COMMITTER_EMAIL: 'ada@example.com',
};

function linkFrom(process: ChildProcess): Promise<string> {
  return new Promise((resolve, reject) => {
    let said = '';
    process.stdout?.on('data', (chunk: Buffer) => {
      said += chunk.toString('utf8');
      const link = /"link": "([^"]+)"/.exec(said)?.[1];
      if (link) resolve(link);
    });
    let problem = '';
    process.stderr?.on('data', (chunk: Buffer) => {
      problem += chunk.toString('utf8');
    });
    process.once('exit', (code) => reject(new Error(`piton ui ended with ${code}: ${problem}`)));
  });
}

export async function pageStage(agents: readonly string[], name = 'harbor'): Promise<PageStage> {
  const box = sandbox();
  const work = box.repository(name);
  const env = { ...box.env, ...AUTHOR, GIT_CONFIG_NOSYSTEM: '1' };
  let lines = 0;
  const transcriptOf = (session: string) => join(box.home, '.claude', 'projects', name, `${session}.jsonl`);
  const piton = async (...args: string[]): Promise<string> => {
    const { code, stdout, stderr } = await box.piton(args, { cwd: work });
    if (code !== 0) throw new Error(`piton ${args.join(' ')} ended with ${code}: ${stdout}${stderr}`);
    return stdout;
  };
  await piton('init', ...agents.flatMap((agent) => ['--agent', agent]), '--yes');
  const stage: PageStage = {
    box,
    work,
    git: (...args) => execFileSync('git', args, { cwd: work, env, encoding: 'utf8', stdio: ['ignore', 'pipe', 'pipe'] }),
    piton,
    fire(agent, event, payload) {
      pace();
      return execFileSync(join(box.state, 'runtime', 'current', 'piton-forward'), [agent, event, 'user', '60000', '-'], {
        cwd: work,
        env,
        encoding: 'utf8',
        input: JSON.stringify({ cwd: work, hook_event_name: event, ...payload }),
        stdio: ['pipe', 'pipe', 'ignore'],
      });
    },
    replay(agent) {
      const text = readFileSync(new URL(`${agent}.json`, SESSIONS), 'utf8')
        .replaceAll('$NAME_OF_REPO', name)
        .replaceAll('$NAME_OF_HOME', 'home')
        .replaceAll('$REPO', work)
        .replaceAll('$HOME', box.home);
      const { steps } = JSON.parse(text) as { steps: { event: string; payload: object }[] };
      for (const { event, payload } of steps) stage.fire(agent, event, payload);
    },
    write(path, text) {
      mkdirSync(dirname(join(work, path)), { recursive: true });
      writeFileSync(join(work, path), text);
    },
    transcript(session, type, message) {
      const file = transcriptOf(session);
      mkdirSync(dirname(file), { recursive: true });
      lines += 1;
      appendFileSync(file, `${JSON.stringify({ type, uuid: `line-${lines}`, timestamp: new Date().toISOString(), message })}\n`);
    },
    async openPage() {
      const page = box.start(['ui', '--json', '--idle', '0'], { cwd: work });
      const link = await linkFrom(page);
      return {
        link,
        newLink: async () => (await box.json<{ link: string }>(['ui'])).link,
        stop: () =>
          new Promise((resolve) => {
            if (page.exitCode !== null) return resolve();
            page.once('exit', () => resolve());
            page.kill('SIGTERM');
          }),
      };
    },
    end: () => box.end(),
  };
  return stage;
}

/** What every payload of a session has. */
export const inSession = (stage: PageStage, session: string): object => ({
  session_id: session,
  transcript_path: join(stage.box.home, '.claude', 'projects', basename(stage.work), `${session}.jsonl`),
});
