import type { RunnerCase } from './case.ts';

export const ANSWERS: readonly RunnerCase[] = [
  { it: 'reports silence and 0', program: 'says-nothing', expected: {} },
  { it: 'reports exit code 1', program: 'exit-1', expected: { exitCode: 1 } },
  {
    it: 'reports exit code 2 and its reason',
    program: 'exit-2-with-reason',
    expected: { exitCode: 2, stderr: 'not on main: make a branch first\n' },
  },
  { it: 'reports exit code 3', program: 'exit-3', expected: { exitCode: 3 } },
  { it: 'reports exit code 255', program: 'exit-255', expected: { exitCode: 255 } },
  { it: 'reports the eight bits that are left of exit code 256', program: 'exit-256', expected: { exitCode: 0 } },
  { it: 'tells an own exit code 126 from no start', program: 'exit-126', expected: { exitCode: 126 } },
  { it: 'tells an own exit code 127 from no start', program: 'exit-127', expected: { exitCode: 127 } },
  { it: 'passes on an own exit code 137 that no signal caused', program: 'exit-137', expected: { exitCode: 137 } },
  { it: 'keeps the output of a program that fails', program: 'fails-after-output', expected: { exitCode: 1, stdout: 'half an answ\n' } },
  { it: 'hands over JSON as it was printed', program: 'prints-json', expected: { stdout: '{"decision":"deny","reason":"no"}\n' } },
  { it: 'keeps both streams apart', program: 'prints-both-streams', expected: { stdout: 'out\n', stderr: 'err\n' } },
  { it: 'adds no newline to a partial line', program: 'prints-partial-line', expected: { stdout: 'no newline' } },
  { it: 'changes no line ending', program: 'prints-crlf', expected: { stdout: 'one\r\ntwo\r\n' } },
  { it: 'keeps a byte order mark', program: 'prints-bom', expected: { stdout: Buffer.from([0xef, 0xbb, 0xbf, 0x7b, 0x7d]) } },
  { it: 'keeps escape sequences', program: 'prints-colours', expected: { stdout: '\u001b[31mred\u001b[0m\n' } },
  { it: 'keeps characters beyond ASCII', program: 'prints-utf8', expected: { stdout: 'grüße 🧗\n' } },
  {
    it: 'keeps bytes that are no UTF-8',
    program: 'prints-invalid-utf8',
    expected: { stdout: Buffer.from([0x61, 0xff, 0xfe, 0xc0, 0x62]) },
  },
  { it: 'keeps NUL bytes', program: 'prints-nul-bytes', expected: { stdout: Buffer.from([0x61, 0, 0x62, 0]) } },
  {
    it: 'keeps every byte there is',
    program: 'prints-every-byte',
    expected: { stdout: Buffer.from(Array.from({ length: 256 }, (_, byte) => byte)) },
  },
  { it: 'collects output that comes piece by piece', program: 'prints-slowly', expected: { stdout: '1\n2\n3\n' } },
  {
    it: 'feeds a Node program',
    program: 'is-a-node-program',
    exec: { stdin: Buffer.from('{"tool_name":"Bash"}') },
    expected: { stdout: 'Bash\n' },
  },
];
