import type { RunnerCase } from './case.ts';

// Long enough for a slow machine to start the child, which writes its pid first.
const late = { timeoutMs: 6000 };
const atItsLimit = { exitCode: -1, timedOut: true } as const;

export const TREES: readonly RunnerCase[] = [
  {
    it: 'does not wait for a child that holds the pipe, and leaves it alone',
    program: 'leaves-a-child-holding-the-pipe',
    expected: { stdout: 'done\n' },
    child: 'left alone',
  },
  { it: 'leaves a silent child alone', program: 'leaves-a-child-in-silence', expected: { stdout: 'done\n' }, child: 'left alone' },
  { it: 'leaves a daemon alone', program: 'leaves-a-daemon', expected: { stdout: 'done\n' }, child: 'left alone' },
  {
    it: 'does not read for ever from a child that floods',
    program: 'leaves-a-child-flooding',
    exec: { stdoutCap: 4 },
    expected: { stdout: 'y\ny\n', stdoutCut: true },
    child: 'ended by its broken pipe',
  },
  { it: 'kills a child at the limit', program: 'hangs-with-a-child', exec: late, expected: atItsLimit, child: 'killed' },
  { it: 'kills a child that ignores signals', program: 'hangs-with-a-deaf-child', exec: late, expected: atItsLimit, child: 'killed' },
  { it: 'kills the fifth generation', program: 'hangs-five-deep', exec: late, expected: atItsLimit, child: 'killed' },
  {
    it: 'kills a child that left for a session of its own',
    program: 'hangs-with-a-child-in-a-session',
    exec: late,
    expected: atItsLimit,
    child: 'killed',
  },
  {
    it: 'kills a daemon whose parents are gone',
    program: 'hangs-with-an-orphaned-daemon',
    exec: late,
    expected: atItsLimit,
    child: 'killed',
    linuxOnly: true,
  },
];
