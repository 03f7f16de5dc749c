import { compilePattern } from './pattern/index.ts';

export type TextTest = (text: string) => boolean;
export type TextMatch = { readonly ok: true; readonly test: TextTest } | { readonly ok: false; readonly problem: string };

const names = new Map<string, TextMatch>();
const paths = new Map<string, TextMatch>();

/** What people write to mean some texts: a name, a glob (`*`, `?`), a choice (`A|B`) or `/a regular expression/`. */
export const textMatch = (written: string): TextMatch => names.get(written) ?? remembered(names, written, compileNew);

/** The same for files, whose names may begin with a slash: only what also ends in one is a regular expression. */
export const pathMatch = (written: string): TextMatch =>
  paths.get(written) ??
  remembered(paths, written, () => (written.startsWith('/') && !PATTERN.test(written) ? fromParts(written) : compileNew(written)));

function remembered(cache: Map<string, TextMatch>, written: string, compile: (written: string) => TextMatch): TextMatch {
  if (cache.size > 10_000) cache.clear();
  const fresh = compile(written);
  const compiled = fresh.ok ? { ...fresh, test: remembering(fresh.test) } : fresh;
  cache.set(written, compiled);
  return compiled;
}

/** Many hooks share a matcher, and one tool is asked about for all of them. */
function remembering(test: TextTest): TextTest {
  let last: string | undefined;
  let result = false;
  return (text) => {
    if (text !== last) {
      result = test(text);
      last = text;
    }
    return result;
  };
}

const PATTERN = /^\/(.+)\/([ims]*)$/s;

function compileNew(written: string): TextMatch {
  const pattern = PATTERN.exec(written);
  if (pattern) return fromPattern(pattern[1] as string, pattern[2] as string);
  if (written.startsWith('/')) return refuse(`${written} starts like a regular expression but does not end in / or /i`);
  if (/[\\^$()[\]{}+]|\.\*/.test(written)) {
    return refuse(`${written} looks like a regular expression: write it as /${written}/, or as a name, a glob (* and ?) or A|B`);
  }
  return fromParts(written);
}

function fromParts(written: string): TextMatch {
  const parts = written.split('|').map((part) => part.trim());
  if (parts.includes('')) return refuse(`${written} has an empty alternative`);
  const exact = new Set(parts.filter((part) => !isGlob(part)));
  const globs = parts.filter(isGlob);
  return { ok: true, test: (text) => exact.has(text) || globs.some((glob) => globMatches(glob, text)) };
}

const isGlob = (part: string): boolean => part.includes('*') || part.includes('?');

function fromPattern(source: string, flags: string): TextMatch {
  const pattern = compilePattern(source, flags);
  return pattern.ok ? pattern : refuse(`/${source}/ ${pattern.problem}`);
}

const refuse = (problem: string): TextMatch => ({ ok: false, problem });

/** Linear but for one step back to the last star. */
function globMatches(glob: string, name: string): boolean {
  let g = 0;
  let n = 0;
  let star = -1;
  let taken = 0;
  while (n < name.length) {
    if (glob[g] === '*') {
      star = g++;
      taken = n;
    } else if (g < glob.length && (glob[g] === '?' || glob[g] === name[n])) {
      g++;
      n++;
    } else if (star >= 0) {
      g = star + 1;
      n = ++taken;
    } else {
      return false;
    }
  }
  while (glob[g] === '*') g++;
  return g === glob.length;
}
