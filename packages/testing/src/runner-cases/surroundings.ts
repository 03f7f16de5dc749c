import type { RunnerCase } from './case.ts';

/** The suite sets these in its own environment, which both runners inherit. */
export const INHERITED: Readonly<Record<string, string>> = {
  SUITE_INHERITED: 'from outside',
  SUITE_EMPTY: '',
  GIT_DIR: '/elsewhere/.git',
  GIT_INDEX_FILE: '.git/index',
  GITLESS: 'stays',
};

const UMASK = `${process.umask().toString(8).padStart(4, '0')}\n`;
const ODD_ARGUMENTS = ['', 'two words', "it's", '"quoted"', '$HOME', '`id`', '*', 'line\nbreak', 'grüße 🧗', '-n', '\\'];

/** Values in the environment of a hook's command: a branch, a file or a tool may have such a name. */
const EVIL = '"; touch pwned; echo "$(touch pwned) `touch pwned` \'; touch pwned; \' && touch pwned | touch pwned\n touch pwned';
// biome-ignore format: a table
const REPORTED = [
  'TOOL_NAME', 'CLAUDE_PROJECT_DIR', 'PITON_EVENT', 'PITON_AGENT', 'PITON_SESSION_ID', 'PITON_EVENT_ID', 'PITON_CWD', 'PITON_REPO',
  'PITON_BRANCH', 'PITON_TOOL_KIND', 'PITON_TOOL_COMMAND', 'PITON_TOOL_FILES', 'PITON_OMITTED', 'PITON_RUN', 'PITON_DEPTH', 'MINE',
];

export const SURROUNDINGS: readonly RunnerCase[] = [
  {
    it: 'hands on its own environment',
    program: 'prints-variables',
    args: ['SUITE_INHERITED', 'SUITE_EMPTY'],
    expected: { stdout: 'SUITE_INHERITED=from outside\nSUITE_EMPTY=\n' },
  },
  {
    it: 'sets a variable',
    program: 'prints-variables',
    args: ['ADDED', 'SUITE_INHERITED'],
    exec: { set: { ADDED: 'a=b c', SUITE_INHERITED: 'changed' } },
    expected: { stdout: 'ADDED=a=b c\nSUITE_INHERITED=changed\n' },
  },
  {
    it: 'sets a variable to nothing',
    program: 'prints-variables',
    args: ['ADDED'],
    exec: { set: { ADDED: '' } },
    expected: { stdout: 'ADDED=\n' },
  },
  {
    it: 'sets a variable of many lines and characters beyond ASCII',
    program: 'prints-variables',
    args: ['ADDED'],
    exec: { set: { ADDED: 'eins\nzwei ü' } },
    expected: { stdout: 'ADDED=eins\nzwei ü\n' },
  },
  {
    it: 'hands on as data what reads like a command, in every variable',
    program: 'uses-variables-carelessly',
    args: REPORTED,
    exec: { set: Object.fromEntries(REPORTED.map((name) => [name, EVIL])) },
    expected: { stdout: REPORTED.map((name) => `${name}=${EVIL}\n`).join('') },
  },
  {
    it: 'unsets a variable',
    program: 'prints-variables',
    args: ['SUITE_INHERITED', 'SUITE_EMPTY'],
    exec: { unset: ['SUITE_INHERITED', 'NEVER_SET'] },
    expected: { stdout: 'SUITE_INHERITED is unset\nSUITE_EMPTY=\n' },
  },
  {
    it: 'unsets by name exactly, not by beginning',
    program: 'prints-variables',
    args: ['SUITE_INHERITED'],
    exec: { unset: ['SUITE_', 'SUITE_INHERITE'] },
    expected: { stdout: 'SUITE_INHERITED=from outside\n' },
  },
  {
    it: 'unsets every variable with a prefix',
    program: 'prints-variables',
    args: ['GIT_DIR', 'GIT_INDEX_FILE', 'GITLESS'],
    exec: { unset: ['GIT_*'] },
    expected: { stdout: 'GIT_DIR is unset\nGIT_INDEX_FILE is unset\nGITLESS=stays\n' },
  },
  {
    it: 'sets after it unsets',
    program: 'prints-git-variables',
    exec: { unset: ['GIT_*'], set: { GIT_DIR: '/own/.git' } },
    expected: { stdout: 'GIT_DIR=/own/.git\n' },
  },
  { it: 'leaves the umask as it is', program: 'prints-umask', expected: { stdout: UMASK } },
  { it: 'lets a program change its umask', program: 'sets-umask', expected: { stdout: '0077\n' } },
  { it: 'keeps no umask of an earlier program', program: 'prints-umask', expected: { stdout: UMASK } },
  { it: 'passes no argument where there is none', program: 'prints-arguments', expected: { stdout: '0\n' } },
  {
    it: 'passes arguments untouched by any shell',
    program: 'prints-arguments',
    args: ODD_ARGUMENTS,
    expected: { stdout: `11\n${ODD_ARGUMENTS.map((argument) => `<${argument}>\n`).join('')}` },
  },
  {
    it: 'passes an argument of 100,000 characters',
    program: 'prints-length-of-argument',
    args: ['x'.repeat(100_000)],
    expected: { stdout: '100000\n' },
  },
  {
    it: 'passes 2,000 arguments',
    program: 'prints-arguments',
    args: Array.from({ length: 2000 }, () => '.'),
    expected: { stdout: `2000\n${'<.>\n'.repeat(2000)}` },
  },
  { it: 'gives no stream a terminal', program: 'prints-terminals', expected: { stdout: '0 is none\n1 is none\n2 is none\n' } },
  {
    it: 'gives no stream a socket, which cannot be opened by name',
    program: 'prints-stream-types',
    expected: { stdout: '0 is none\n1 is none\n2 is none\n' },
    linuxOnly: true,
  },
  { it: 'leaks no descriptor', program: 'prints-descriptors', expected: { stdout: '0\n1\n2\n3\n' }, linuxOnly: true },
  { it: 'makes the command the leader of its group', program: 'leads-its-group', expected: { stdout: 'leader\n' }, linuxOnly: true },
  { it: 'starts in the given directory', program: 'prints-cwd', expected: { stdout: '{cwd}\n' } },
  { it: 'survives a program that deletes its directory', program: 'deletes-its-cwd', expected: { stdout: 'gone\n' } },
  { it: 'names the program by its path', program: 'prints-own-name', expected: { stdout: 'prints-own-name\n' } },
  {
    it: 'writes files in the given directory',
    program: 'writes-a-file',
    exec: { stdin: Buffer.from('here') },
    expected: {},
    files: { 'written.txt': 'here' },
  },
  { it: 'follows a program that becomes another', program: 'execs-another', expected: { exitCode: 3 } },
  { it: 'runs a pipeline', program: 'runs-a-pipeline', exec: { stdin: Buffer.from('abc\n') }, expected: { stdout: 'ABC!\n' } },
];
