import type { ModelScript } from '../model/script.ts';
import type { ModelRequest } from '../model/server.ts';

/** Each run has its own network, so the port is always free. */
export const MODEL_PORT = 4010;
export const MODEL_URL = `http://127.0.0.1:${MODEL_PORT}`;

/** A command inside the run's namespaces: Piton's server is found only from there. */
export interface BedStep {
  readonly name: string;
  readonly argv: readonly [string, ...string[]];
  readonly env?: Readonly<Record<string, string>>;
  readonly cwd?: string;
  readonly input?: string;
  readonly limitMs?: number;
}

/** Plain data that is passed into the namespaces as a file. */
export interface BedJob {
  readonly repo: string;
  readonly script: ModelScript;
  /** The environment of everything in the run. The agent's variables are added. */
  readonly env: Readonly<Record<string, string>>;
  readonly before: readonly BedStep[];
  readonly agent: BedStep;
  /** Steps between the n-th scripted request, from 0, and its answer. */
  readonly during: readonly { readonly request: number; readonly steps: readonly BedStep[] }[];
  readonly after: readonly BedStep[];
  /** The model answers once no process has this word as an argument. */
  readonly answersAfter?: string;
}

export interface StepResult {
  readonly name: string;
  readonly exit: number | string;
  readonly timedOut: boolean;
  /** A process that it started kept its output open after it had ended. */
  readonly outputHeld: boolean;
  readonly stdout: string;
  readonly stderr: string;
  readonly wallMs: number;
}

/** Path below the repository to a digest of the content. */
export type FileList = Readonly<Record<string, string>>;

export interface BedResult {
  readonly steps: readonly StepResult[];
  readonly agent: StepResult;
  readonly requests: readonly ModelRequest[];
  readonly filesBefore: FileList;
  readonly filesAfter: FileList;
}
