import type { Span } from '../span.ts';
import { isReference } from './references.ts';

/** Options whose name says nothing, and what they mean to the programs that take them. */
interface CommandOption {
  readonly names: readonly string[];
  readonly programs: RegExp;
  readonly value: RegExp;
  readonly kind: string;
}

const QUOTE = '\\\\{0,7}["\']?';
const WORD = new RegExp(` {1,4}${QUOTE}([^\\s"'\\\\-][^\\s"'\\\\]{2,256})`, 'y');
const OPTIONS: readonly CommandOption[] = [
  {
    names: ['-u', '--user', '-U', '--proxy-user'],
    programs: /\b(?:curl|http|https|wget)\b/,
    value: new RegExp(` {1,4}${QUOTE}[^\\s:"'\\\\$]{1,128}:([^\\s"'\\\\]{3,256})`, 'y'),
    kind: 'basic',
  },
  {
    names: ['-p'],
    programs: /\b(?:sshpass|docker login|podman login|az login|ldapsearch|redis-cli)\b/,
    value: WORD,
    kind: 'password',
  },
  {
    names: ['-a', '-w'],
    programs: /\b(?:redis-cli|ldapsearch|ldapmodify)\b/,
    value: WORD,
    kind: 'password',
  },
  { names: ['-k'], programs: /\bopenssl[ \t]+enc\b/, value: WORD, kind: 'password' },
  { names: ['-P'], programs: /\b(?:unzip|zip|zipcloak|funzip)\b/, value: WORD, kind: 'password' },
  { names: ['-A', '-X'], programs: /\bsnmp(?:get|set|walk|bulkwalk|table|trap|inform)\b/, value: WORD, kind: 'password' },
  {
    names: ['-U'],
    programs: /\b(?:smbclient|smbget|rpcclient|net)\b/,
    value: new RegExp(` {1,4}${QUOTE}[^\\s%"'\\\\$]{1,128}%([^\\s"'\\\\]{3,256})`, 'y'),
    kind: 'password',
  },
  {
    // The name of the file and of the user come before it; with `-n` there is no file.
    names: ['-b', '-bc', '-cb', '-nb', '-bn', '-bB', '-Bb', '-nbB', '-Bbn', '-bnB', '-cbB', '-Bbc', '-bcB'],
    programs: /\bhtpasswd\b/,
    value: new RegExp(`(?: {1,4}[^\\s"'\\\\-][^\\s"'\\\\]{0,255}){1,2} {1,4}${QUOTE}([^\\s"'\\\\>|&;-][^\\s"'\\\\]{2,256})`, 'y'),
    kind: 'password',
  },
];
/** `mysql -psecret`, `7z x -psecret`: no blank between. */
const GLUED = /\b(?:mysql|mysqldump|mysqladmin|mariadb|7z|7za|7zr|rar|unrar)\b/;
const LOOKED_BACK = 200;
const LONGEST_OPTION = 12;
const LETTER_P = 112;

/** The run from `start` to `end` begins with a dash. */
export function optionValue(text: string, start: number, end: number): Span | undefined {
  if (end - start > LONGEST_OPTION && text.charCodeAt(start + 1) !== LETTER_P) return undefined;
  const option = text.slice(start, Math.min(end, start + 16));
  const named = OPTIONS.filter(({ names }) => names.includes(option));
  const glued = named.length === 0 && /^-p[^-]/.test(option) && end - start >= 6;
  if (named.length === 0 && !glued) return undefined;
  const before = text.slice(Math.max(0, start - LOOKED_BACK), start);
  const line = before.slice(before.lastIndexOf('\n') + 1);
  if (glued) return GLUED.test(line) ? { start: start + 2, end, kind: 'password', secret: text.slice(start + 2, end) } : undefined;
  const found = named.find(({ programs }) => programs.test(line));
  if (found === undefined) return undefined;
  found.value.lastIndex = end;
  const match = found.value.exec(text);
  const secret = match?.[1];
  if (match === null || secret === undefined || isReference(secret, false) || secret.startsWith('[redacted:')) return undefined;
  const stop = end + match[0].length;
  return { start: stop - secret.length, end: stop, kind: found.kind, secret };
}
