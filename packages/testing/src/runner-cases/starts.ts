import { PROGRAMS, type RunnerCase } from './case.ts';

const missing = { exitCode: 127, notStarted: true, stderr: /No such file or directory/ } as const;
const refused = { exitCode: 126, notStarted: true, stderr: /Permission denied/ } as const;

export const STARTS: readonly RunnerCase[] = [
  { it: 'does not find a file that is not there', program: 'no-such-program', expected: missing },
  { it: 'does not start a file without a run bit', program: 'has-no-run-bit', expected: refused },
  { it: 'does not start a script whose interpreter is missing', program: 'has-no-interpreter', expected: missing },
  { it: 'does not start a script with a CRLF after its interpreter', program: 'has-a-crlf-shebang', expected: missing },
  { it: 'does not start a script interpreted by a directory', program: 'is-interpreted-by-a-directory', expected: refused },
  { it: 'gives a script that names no interpreter to the shell', program: 'has-no-shebang', expected: { stdout: 'by sh\n' } },
  { it: 'takes an empty file as a script that says nothing', program: 'is-empty', expected: {} },
  { it: 'does not start a directory', program: 'is-a-directory', expected: refused },
  {
    it: 'does not follow a symlink in a circle',
    program: 'is-a-symlink-loop',
    expected: { exitCode: 126, notStarted: true, stderr: /Too many levels of symbolic links/ },
  },
  { it: 'does not find what a symlink points to in vain', program: 'is-a-dangling-symlink', expected: missing },
  {
    it: 'does not look for a program below a file',
    program: 'exit-1/below',
    expected: { exitCode: 126, notStarted: true, stderr: /Not a directory/ },
  },
  {
    it: 'does not start a program with arguments beyond the limit of the system',
    program: 'prints-arguments',
    args: ['x'.repeat(4 * 1024 * 1024)],
    expected: { exitCode: 126, notStarted: true, stderr: /Argument list too long/ },
  },
  { it: 'does not start in a directory that is gone', program: 'says-nothing', exec: { cwd: '/nowhere/at/all' }, expected: missing },
  {
    it: 'does not start in a file',
    program: 'says-nothing',
    exec: { cwd: '/dev/null' },
    expected: { exitCode: 126, notStarted: true, stderr: /Not a directory/ },
  },
  { it: 'starts what a symlink points to', program: 'is-a-symlink', expected: { stdout: 'is-a-symlink\n' } },
  { it: 'starts a program with spaces in its name', program: 'has spaces in its name', expected: { stdout: 'spaces\n' } },
  { it: 'starts a program with a name beyond ASCII', program: 'heißt-ünïcode', expected: { stdout: 'unicode\n' } },
  { it: 'passes on the argument of an interpreter', program: 'stops-at-first-error', expected: { exitCode: 1 } },
  { it: 'looks a bare name up on PATH', program: '', exec: { argv: ['sh', '-c', 'echo found'] }, expected: { stdout: 'found\n' } },
  { it: 'does not find a bare name that is nowhere on PATH', program: '', exec: { argv: ['no-such-program-on-path'] }, expected: missing },
  {
    it: 'takes a bare name as one even if the directory holds such a file',
    program: '',
    exec: { argv: ['exit-1'], cwd: PROGRAMS },
    expected: missing,
  },
];
