import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { eventually } from '@piton/testing';
import { CLI, type Sandbox } from '../first-day/sandbox.ts';

export const HAS_TERMINAL = spawnSync('script', ['--version']).status === 0;

/** The command on a terminal of its own, of 100 columns and 30 rows unless others are asked for. */
export class Terminal {
  #text = '';
  #child: ChildProcess;
  #ended: Promise<number | null>;

  constructor(box: Sandbox, args: readonly string[], cwd: string, env: Readonly<Record<string, string>> = {}, columns = 100) {
    const line = `stty rows 30 cols ${columns}; exec "${process.execPath}" "${CLI}" ${args.join(' ')}`;
    this.#child = spawn('script', ['-qec', line, '/dev/null'], { cwd, env: { ...box.env, TERM: 'xterm', ...env } });
    for (const stream of [this.#child.stdout, this.#child.stderr]) stream?.setEncoding('utf8').on('data', (text) => (this.#text += text));
    this.#ended = new Promise((resolve) => this.#child.on('close', resolve));
  }

  get text(): string {
    return this.#text;
  }

  async sees(text: string): Promise<void> {
    if (!(await eventually(() => this.#text.includes(text)))) throw new Error(`${text} was not shown:\n${this.#text}`);
  }

  /** Says yes to every question before this one. */
  async agreesUntil(text: string): Promise<void> {
    const asked = (): number => this.#text.split('[y/N]').length - 1;
    for (let answered = 0; ; answered++) {
      if (!(await eventually(() => asked() > answered))) throw new Error(`no question:\n${this.#text}`);
      if (this.#text.includes(text)) return;
      this.type('y\n');
    }
  }

  type(keys: string): void {
    this.#child.stdin?.write(keys);
  }

  exitCode(): Promise<number | null> {
    return this.#ended;
  }

  /** What was shown, once it has ended. */
  async end(): Promise<string> {
    await this.#ended;
    return this.#text;
  }
}
