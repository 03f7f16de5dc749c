import { lstatSync } from 'node:fs';
import { posix } from 'node:path';
import type { TreeFile } from '../tree.ts';
import { importsOf } from './imports.ts';
import type { HookText, Reference, Surroundings } from './reference.ts';
import { interpreterOf, shellReferences } from './shell-lines.ts';
import { filesNamedIn } from './words.ts';

/** What is longer was not written by hand. It is named as not searched. */
const MAX_BYTES = 256 * 1024;
const MAX_TOTAL = 1024 * 1024;
const MAX_REFERENCES = 100;
/** Notes and test cases are not run. The command of an artifact or setting is passed apart. */
const NOT_CODE = /\.(?:md|json)$/i;

export interface ReferencesRequest {
  readonly root: string;
  readonly files: readonly TreeFile[];
  /** The command of a setting or artifact, and the file that holds it. */
  readonly command?: { readonly path: string; readonly text: string };
}

/** What a hook uses and its copy does not hold, as far as reading its text shows it. */
export function referencesOf({ root, files, command }: ReferencesRequest): Reference[] {
  const surroundings: Surroundings = { root, copied: new Set(files.map(({ path }) => path)), exists: isThere };
  const found: Reference[] =
    command === undefined
      ? []
      : placed(
          ofShell(command, surroundings),
          files.find(({ path }) => path === command.path),
        );
  let total = 0;
  for (const { path, bytes } of files) {
    if (NOT_CODE.test(path) || path === command?.path || isProgram(bytes)) continue;
    total += bytes.length;
    if (bytes.length > MAX_BYTES || total > MAX_TOTAL) found.push({ name: path, file: path, line: 1, why: 'unread' });
    else found.push(...ofFile({ path, text: bytes.toString('utf8') }, surroundings));
  }
  return unique(found).slice(0, MAX_REFERENCES);
}

/** A command is a part of the file that declares it: where in that file its words stand. */
function placed(references: readonly Reference[], file: TreeFile | undefined): Reference[] {
  const lines = file?.bytes.toString('utf8').split('\n') ?? [];
  return references.map((reference) => ({ ...reference, line: lines.findIndex((line) => line.includes(reference.name)) + 1 || 1 }));
}

const ofShell = (text: HookText, surroundings: Surroundings): Reference[] => [
  ...filesNamedIn(text, surroundings),
  ...shellReferences(text, surroundings),
];

function ofFile(text: HookText, surroundings: Surroundings): Reference[] {
  const found = interpreterOf(text, surroundings);
  if (isModule(text)) found.push(...importsOf(text, surroundings));
  else if (isShell(text)) found.push(...shellReferences(text, surroundings));
  return [...found, ...filesNamedIn(text, surroundings)];
}

const isModule = ({ path, text }: HookText): boolean => /\.[cm]?[jt]s$/i.test(path) || /^#!.*\b(?:node|bun|deno|tsx)\b/.test(text);
/** Also what a program of the project reads: it may well be a shell. */
const isShell = ({ path, text }: HookText): boolean =>
  text.startsWith('#!')
    ? !/^#!.*\b(?:python|ruby|perl|php|lua|awk|osascript)/.test(text)
    : !/\.\w+$/.test(posix.basename(path)) || /\.(?:ba|z|k)?sh$/.test(path);

/** ELF, Mach-O, PE, WebAssembly: nothing that can be read as text. */
function isProgram(bytes: Buffer): boolean {
  return /^(?:\x7fELF|\xcf\xfa\xed\xfe|\xca\xfe\xba\xbe|MZ|\0asm)/.test(bytes.subarray(0, 4).toString('latin1'));
}

function unique(references: readonly Reference[]): Reference[] {
  const first = new Map<string, Reference>();
  for (const reference of references) if (!first.has(reference.name)) first.set(reference.name, reference);
  return [...first.values()];
}

/** Names come from a text of others: they may be too long for any path, or hold a NUL. */
function isThere(path: string): boolean {
  try {
    return lstatSync(path, { throwIfNoEntry: false })?.isDirectory() === false;
  } catch {
    return false;
  }
}
