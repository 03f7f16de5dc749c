import { MEGABYTE, type RunnerCase } from './case.ts';

const megabyteIn = { stdin: Buffer.alloc(MEGABYTE, 'i') };
const binary = Buffer.from([0, 1, 0xff, 0xfe, 0x0a, 0, 0x0d]);

export const STREAMS: readonly RunnerCase[] = [
  { it: 'gives an empty stdin an end', program: 'echoes-stdin', expected: {} },
  { it: 'feeds stdin whole', program: 'echoes-stdin', exec: { stdin: Buffer.from('{"a":1}\n') }, expected: { stdout: '{"a":1}\n' } },
  { it: 'feeds stdin byte by byte as it is', program: 'echoes-stdin', exec: { stdin: binary }, expected: { stdout: binary } },
  { it: 'reads while it feeds', program: 'echoes-stdin', exec: megabyteIn, expected: { stdout: megabyteIn.stdin } },
  { it: 'feeds a megabyte', program: 'counts-stdin', exec: megabyteIn, expected: { stdout: '1048576\n' } },
  { it: 'feeds a program that begins to read late', program: 'reads-stdin-late', exec: megabyteIn, expected: { stdout: '1048576\n' } },
  {
    it: 'feeds stdin once',
    program: 'reads-stdin-twice',
    exec: { stdin: Buffer.from('once\n') },
    expected: { stdout: 'once\n--\n' },
  },
  {
    it: 'lets a program open its stdin by name',
    program: 'echoes-stdin-by-name',
    exec: { stdin: Buffer.from('named\n') },
    expected: { stdout: 'named\n' },
  },
  { it: 'lets a program open its stdout by name', program: 'writes-stdout-by-name', expected: { stdout: 'first\nsecond\n' } },
  {
    it: 'lets a program open its stderr by name',
    program: 'writes-stderr-by-name',
    expected: { exitCode: 2, stderr: 'first\nsecond\n' },
  },
  { it: 'takes no offence at a program that never reads', program: 'never-reads-stdin', exec: megabyteIn, expected: { stdout: 'done\n' } },
  { it: 'takes no offence at a program that closes its stdin', program: 'closes-stdin', exec: megabyteIn, expected: { stdout: 'done\n' } },
  {
    it: 'takes no offence at a program that reads one line',
    program: 'reads-first-line',
    exec: { stdin: Buffer.from(`first\n${'x'.repeat(MEGABYTE)}`) },
    expected: { stdout: 'first\n' },
  },
  {
    it: 'takes no offence at a program that reads half',
    program: 'reads-half-of-stdin',
    exec: megabyteIn,
    expected: { stdout: '500000\n' },
  },
  {
    it: 'waits for a program that closed its stdout',
    program: 'closes-stdout-early',
    expected: { stdout: 'before\n', stderr: 'after\n' },
  },
  { it: 'keeps nothing of what is written after a close', program: 'writes-after-close', expected: { stderr: 'kept\n' } },
  { it: 'waits for a program that closed all its streams', program: 'closes-all-streams', expected: { exitCode: 4 } },
  {
    it: 'takes turns between both streams without blocking',
    program: 'writes-both-streams-in-turn',
    expected: { stdout: 'o'.repeat(MEGABYTE), stderr: 'e'.repeat(MEGABYTE) },
  },
  {
    it: 'keeps ten megabytes',
    program: 'writes-10-mb',
    exec: { stdoutCap: 16 * MEGABYTE },
    expected: { stdout: 'x'.repeat(10 * MEGABYTE) },
  },
  {
    it: 'cuts stdout at its cap and lets the program end',
    program: 'writes-10-mb',
    exec: { stdoutCap: 65537 },
    expected: { stdout: 'x'.repeat(65537), stdoutCut: true },
  },
  {
    it: 'cuts stderr at its cap and lets the program end',
    program: 'writes-1-mb-of-errors',
    exec: { stderrCap: 4096 },
    expected: { stderr: 'e'.repeat(4096), stderrCut: true },
  },
  { it: 'cuts nothing that just fits', program: 'writes-1000-bytes', exec: { stdoutCap: 1000 }, expected: { stdout: 'k'.repeat(1000) } },
  {
    it: 'cuts what is one byte too long',
    program: 'writes-1000-bytes',
    exec: { stdoutCap: 999 },
    expected: { stdout: 'k'.repeat(999), stdoutCut: true },
  },
  { it: 'keeps nothing under a cap of nothing', program: 'writes-1000-bytes', exec: { stdoutCap: 0 }, expected: { stdoutCut: true } },
  { it: 'marks nothing as cut where nothing came', program: 'says-nothing', exec: { stdoutCap: 0, stderrCap: 0 }, expected: {} },
  {
    it: 'leaves a broken pipe inside the command its default action',
    program: 'pipe-breaks-inside',
    expected: { stdout: 'y\n', stderr: '141\n' },
  },
];
