const LONGEST_PATTERN = 256;
/** Each may walk over the whole name, so together they are the exponent of the cost. */
const MOST_REPEATS = 3;
/** Each doubles the ways through a pattern. */
const MOST_OPTIONALS = 8;

/**
 * Why a regular expression is refused, or undefined. A project's matcher is compared on the agent's path with a
 * name that the model chose, so what can backtrack without bound is turned away; so is some that could not.
 */
export function patternDanger(source: string): string | undefined {
  if (source.length > LONGEST_PATTERN) return `is longer than ${LONGEST_PATTERN} characters`;
  const groups: { varies: boolean }[] = [];
  let closed: { varies: boolean } | undefined;
  let repeats = 0;
  let optionals = 0;
  for (let at = 0; at < source.length; at++) {
    const rest = source.slice(at);
    const lastGroup = closed;
    closed = undefined;
    if (rest.startsWith('\\')) {
      if (/^\\([1-9]|k<)/.test(rest)) return 'has a backreference';
      at++;
    } else if (rest.startsWith('[')) {
      at += classLength(rest) - 1;
    } else if (rest.startsWith('(')) {
      if (/^\(\?<?[=!]/.test(rest)) return 'looks ahead or behind';
      groups.push({ varies: false });
      const opening = /^\((\?(:|<[A-Za-z_]\w*>))?/.exec(rest);
      at += (opening?.[0].length ?? 1) - 1;
    } else if (rest.startsWith(')')) {
      closed = groups.pop();
      if (closed?.varies) markOpen(groups);
    } else if (rest.startsWith('|')) {
      markOpen(groups);
    } else {
      const quantifier = /^(?:[*+?]|\{\d+(?:,\d*)?\})\??/.exec(rest)?.[0];
      if (quantifier === undefined) continue;
      if (lastGroup?.varies && quantifier[0] !== '?') return 'repeats a group that itself repeats or chooses';
      if (quantifier[0] === '?') optionals++;
      else repeats++;
      markOpen(groups);
      at += quantifier.length - 1;
    }
  }
  if (repeats > MOST_REPEATS) return `repeats in more than ${MOST_REPEATS} places`;
  if (optionals > MOST_OPTIONALS) return `has more than ${MOST_OPTIONALS} optional parts`;
  return undefined;
}

function markOpen(groups: readonly { varies: boolean }[]): void {
  for (const group of groups) group.varies = true;
}

function classLength(rest: string): number {
  let at = 1;
  while (at < rest.length && rest[at] !== ']') at += rest[at] === '\\' ? 2 : 1;
  return at + 1;
}

/** What a repeat without an upper bound may take: no secret is longer, and no try may walk over a whole body. */
const LONGEST_REPEAT = 512;
const MOST_WORK = 4096;

export type BoundedPattern = { readonly ok: true; readonly source: string } | { readonly ok: false; readonly problem: string };

/**
 * The same regular expression with an upper bound on every repeat, for texts of any length: each place of the text is
 * then tried with a number of steps that does not depend on it. What would still take too many is refused.
 */
export function boundPattern(source: string): BoundedPattern {
  const danger = patternDanger(source);
  if (danger !== undefined) return { ok: false, problem: danger };
  let bounded = '';
  let work = 1;
  for (let at = 0; at < source.length; ) {
    const rest = source.slice(at);
    const length = rest.startsWith('\\') ? 2 : rest.startsWith('[') ? classLength(rest) : rest.startsWith('(?') ? 2 : 0;
    if (length > 0) {
      bounded += rest.slice(0, length);
      at += length;
      continue;
    }
    const quantifier = /^(?:([*+?])|\{(\d+)(,?)(\d*)\})(\??)/.exec(rest);
    if (quantifier === null) {
      bounded += rest[0];
      at++;
      continue;
    }
    const [whole, sign, from = '0', comma, to, lazy] = quantifier;
    const least = sign === '+' ? 1 : Number(from);
    const most = sign === '?' ? 1 : sign === undefined && comma === '' ? least : to ? Number(to) : least + LONGEST_REPEAT;
    work *= Math.max(1, most - least + 1);
    bounded += `{${least},${most}}${lazy}`;
    at += whole.length;
  }
  if (work > MOST_WORK) return { ok: false, problem: `could take very long on a long text: bound its repeats, as in {1,32}` };
  try {
    new RegExp(bounded);
  } catch (error) {
    return { ok: false, problem: `is not a regular expression: ${(error as Error).message}` };
  }
  return { ok: true, source: bounded };
}
