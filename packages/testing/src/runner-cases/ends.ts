import { constants } from 'node:os';
import type { RunnerCase } from './case.ts';

// biome-ignore format: a table
const SIGNALS = [
  'HUP', 'INT', 'QUIT', 'ILL', 'TRAP', 'ABRT', 'BUS', 'FPE', 'KILL', 'USR1',
  'SEGV', 'USR2', 'PIPE', 'ALRM', 'TERM', 'XCPU', 'XFSZ', 'VTALRM', 'PROF', 'SYS',
] as const;

const late = { timeoutMs: 400 };
/** Long enough for a busy machine to start it: these print something first. */
const lateOnceStarted = { timeoutMs: 6000 };
const atItsLimit = { exitCode: -1, timedOut: true } as const;

export const ENDS: readonly RunnerCase[] = [
  ...SIGNALS.map((name): RunnerCase => {
    const number = constants.signals[`SIG${name}`];
    return {
      it: `reports the end by SIG${name} as ${128 + number}`,
      program: 'kills-itself',
      args: [name],
      expected: { exitCode: 128 + number },
    };
  }),
  { it: 'keeps what was written before a signal', program: 'is-killed-after-output', expected: { exitCode: 137, stdout: 'before\n' } },
  { it: 'reports what a shell makes of a killed child', program: 'child-is-killed', expected: { exitCode: 139 } },
  { it: 'ends a sleeper at its limit', program: 'sleeps', exec: late, expected: atItsLimit },
  {
    it: 'keeps what was written before the limit',
    program: 'sleeps-after-output',
    exec: lateOnceStarted,
    expected: { ...atItsLimit, stdout: 'so far', stderr: 'and here' },
  },
  { it: 'ends a sleeper whose streams are closed', program: 'sleeps-with-streams-closed', exec: late, expected: atItsLimit },
  {
    it: 'ends a program that ignores signals',
    program: 'ignores-sigterm',
    exec: lateOnceStarted,
    expected: { ...atItsLimit, stdout: 'deaf\n' },
  },
  {
    it: 'gives a program no signal to catch at its limit',
    program: 'traps-and-goes-on',
    exec: lateOnceStarted,
    expected: { ...atItsLimit, stdout: 'ready\n' },
  },
  { it: 'ends a program that spins', program: 'spins', exec: late, expected: atItsLimit },
  { it: 'ends a Node program with a blocked loop', program: 'blocks-its-loop', exec: late, expected: atItsLimit },
  { it: 'ends a program that stopped itself', program: 'stops-itself', exec: late, expected: atItsLimit },
  {
    it: 'ends a program that floods its stdout',
    program: 'floods',
    exec: { ...late, stdoutCap: 6 },
    expected: { ...atItsLimit, stdout: 'y\ny\ny\n', stdoutCut: true },
  },
];
