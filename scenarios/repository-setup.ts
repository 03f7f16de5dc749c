import { execFileSync } from 'node:child_process';
import { appendFileSync, mkdirSync, mkdtempSync, realpathSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { eventually, removeHomeNow, runPitonSync } from '@piton/testing';

/** A home, a repository on a branch of its own, and an agent that writes a transcript as Claude Code does. */
export class Stage {
  readonly root = realpathSync(mkdtempSync(join(tmpdir(), 'piton-export-')));
  readonly work = join(this.root, 'work');
  readonly home = join(this.root, 'piton', 'state');
  #lines = 0;

  constructor() {
    execFileSync('git', ['init', '-q', '-b', 'main', this.work], { env: this.environment });
    writeFileSync(join(this.work, 'a.txt'), 'one\n');
    this.git('add', '-A');
    this.git('commit', '-qm', 'Begin');
    this.git('switch', '-qc', 'login');
  }

  get environment(): NodeJS.ProcessEnv {
    return {
      ...{ PATH: process.env.PATH, HOME: this.root, PITON_HOME: join(this.root, 'piton'), NO_COLOR: '1', PITON_ALLOW_UNDER_AGENT: '1' },
      ...{ GIT_CONFIG_NOSYSTEM: '1', GIT_AUTHOR_NAME: 'T', GIT_AUTHOR_EMAIL: 't@e', GIT_COMMITTER_NAME: 'T', GIT_COMMITTER_EMAIL: 't@e' },
    };
  }

  readonly git = (...args: string[]): string =>
    execFileSync('git', args, { cwd: this.work, env: this.environment, encoding: 'utf8', stdio: ['ignore', 'pipe', 'pipe'] });

  readonly piton = (...args: string[]) => runPitonSync(args, { cwd: this.work, env: this.environment });

  transcriptOf = (session: string): string => join(this.root, '.claude', 'projects', 'work', `${session}.jsonl`);

  /** As Claude Code calls its hooks. */
  fire(event: string, session: string, more: object = {}): void {
    const payload = { session_id: session, hook_event_name: event, cwd: this.work, transcript_path: this.transcriptOf(session), ...more };
    execFileSync(join(this.home, 'runtime', 'current', 'piton-forward'), ['claude', event, 'user', '60000', '-'], {
      cwd: this.work,
      env: this.environment,
      input: JSON.stringify(payload),
    });
  }

  /** One line of a transcript, as Claude Code writes it. */
  write(session: string, type: 'user' | 'assistant', message: object, file = this.transcriptOf(session)): void {
    mkdirSync(dirname(file), { recursive: true });
    this.#lines += 1;
    const line = { type, uuid: `line-${this.#lines}`, timestamp: new Date().toISOString(), message };
    appendFileSync(file, `${JSON.stringify(line)}\n`);
  }

  /** A turn in which one file is written and one command is run. */
  async turn(session: string, prompt: string, file: string, text: string, usage = { input_tokens: 100, output_tokens: 20 }): Promise<void> {
    const [edit, shell] = [`edit-${file}`, `shell-${file}`];
    this.fire('UserPromptSubmit', session, { prompt });
    this.write(session, 'user', { content: prompt });
    const input = { file_path: join(this.work, file), content: text };
    this.write(session, 'assistant', {
      id: `msg-${edit}`,
      model: 'claude-sonnet-4-5',
      content: [{ type: 'tool_use', id: edit, name: 'Write', input }],
      usage,
    });
    const write = { tool_name: 'Write', tool_use_id: edit, tool_input: input };
    this.fire('PreToolUse', session, write);
    writeFileSync(join(this.work, file), text);
    this.fire('PostToolUse', session, { ...write, tool_response: {} });
    const run = { tool_name: 'Bash', tool_use_id: shell, tool_input: { command: `npm test -- ${file}` } };
    this.fire('PreToolUse', session, run);
    this.fire('PostToolUse', session, { ...run, tool_response: {} });
    this.write(session, 'assistant', {
      id: `msg-${shell}`,
      model: 'claude-sonnet-4-5',
      content: [{ type: 'text', text: `Done: ${file} is written.` }],
      usage,
    });
    this.fire('Stop', session, { stop_hook_active: false });
    await eventually(() => this.piton('checkpoints', 'list', '--json').stdout.includes(`"name": "${prompt}"`));
  }

  /** All that was heard so far has been dealt with: a server that is told to go finishes first. */
  settle(): void {
    if (this.piton('server', 'stop').status !== 0) throw new Error('the server did not stop');
  }

  commit(subject: string): void {
    this.git('add', '-A');
    this.git('commit', '-qm', subject);
  }

  end(): void {
    removeHomeNow(this.root, this.home, join(this.root, 'piton', 'config'));
  }
}
