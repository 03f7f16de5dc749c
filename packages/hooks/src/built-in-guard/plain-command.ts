import type { DistinctiveNames } from './distinctive-names.ts';
import { begins, type Known } from './guarded-paths.ts';
import { type Disk, PROJECT_DIRECTORY } from './guarded-places.ts';
import { segmentsOf } from './path-segments.ts';
import { createPlainPaths, GOES } from './plain-paths.ts';
import { COPIERS } from './programs/copiers.ts';
import { INCOMERS } from './programs/incoming.ts';
import {
  FED_WRAPPERS,
  INTERPRETERS,
  KILLERS,
  LINE_READERS,
  LINE_RUNNERS,
  REMOVERS,
  SHELLS,
  WRAPPERS,
  WRITERS,
} from './programs/known-programs.ts';

/** What the judge would let pass, as its letters alone show, and one look at the disk for each file that it changes. */
export interface Plainness {
  isPlainCommand(text: string, cwd: string): boolean;
  isPlainFile(path: string, cwd: string): boolean;
}
const NOTHING_IS: Plainness = { isPlainCommand: () => false, isPlainFile: () => false };

export interface PlainGrounds {
  readonly known: Known;
  readonly names: DistinctiveNames;
  /** What is looked for anywhere in code. */
  readonly marks: readonly string[];
  readonly home: string | undefined;
  /** Programs that may run without their hooks. */
  readonly agents: readonly string[];
  readonly disk: Disk;
}

const LONGEST = 10_000;
/** What the shell fills in, takes away or reads otherwise; but for `$?`, which is a number. */
const STRANGE = /[^\w \t\n./=,:@+%^!&|;~#>$?\u0002-]|\$(?!\?)|(?<!\$)\?/;
/** A text in quotes that joins nothing: what is beside it ends a name. A backslash in it leaves a character that is in none. */
const QUOTED = /(?<![^ \t\n=:,/;&|])(?:'[^']*'|"[^"$`\\]*(?:(?:\\[^\n]|\$\?)[^"$`\\]*)*")(?![^ \t\n=:,/;&|])/g;
/** A here-document whose text is as it stands, with nothing before it that could hide it. */
const DOCUMENT = /^([^'"#<$`\\]*)<<(['"])(\w+)\2(?=[ \t\n;&|>])([^\n'"#<$`\\]*)\n(?:[\s\S]*?\n)??\3(?=\n|$)/;
const PLACEHOLDER = '\u0002';
/** Which program runs is hidden in quotes, or stands behind an assignment or a redirection; what is sourced may be a text; or the quotes may stand in a comment. */
const HIDDEN = /(?:^|[;&|\n])[ \t]*(?:\d*>|[^ \t\n;&|]*[\u0002=]|(?:[^ \t\n;&|]*\/)?(?:source|\.)[ \t])|#/;
/** A text is written that another command may run. */
const LEAVES_TEXT = />[^;&|\n]*[;&|\n]/;

/**
 * Nearly every command is one of these: it names nothing of ours, and no part of it could become such a name, because
 * nothing in it is filled in or joined. To see that takes a tenth of the time that reading it takes.
 */
export function createPlainness({ known, names, marks, home, agents, disk }: PlainGrounds): Plainness {
  const patterns = patternsOf(names, marks);
  if (!/^[ -~]*$/.test(patterns)) return NOTHING_IS;
  // The two letters turn into plain ones when case is taken away.
  const speaksOfUs = new RegExp(`[\u0130\u212a]|hookspath|piton|${patterns}`, 'i');
  const isClear = (directory: string): boolean => {
    const at = segmentsOf(directory, '/');
    const isNamed = at.folded.some((name) => name === PROJECT_DIRECTORY || names.ending.has(name));
    return !isNamed && !names.receiving.has(at.folded.at(-1) as string) && !known.files.some((file) => begins(at, file.names));
  };
  if (home !== undefined && !isClear(home)) return NOTHING_IS;
  const { isElsewhere, goesElsewhere, changesElsewhere } = createPlainPaths(names, disk);
  const startsAgent = agents.length === 0 ? NEVER : programs(agents);
  const namesHolder = new RegExp(`(?:${[...names.receiving].map(begun).join('|')})(?![\\w.-])`, 'i');
  let last: { readonly cwd: string; readonly clear: boolean } | undefined;
  const isClearHere = (cwd: string): boolean => {
    if (last?.cwd !== cwd) last = { cwd, clear: isClear(cwd) };
    return last.clear;
  };
  return {
    isPlainCommand(text, cwd) {
      if (text.length > LONGEST || speaksOfUs.test(text) || !isClearHere(cwd)) return false;
      const isQuoted = text.includes("'") || text.includes('"');
      const bare = isQuoted ? text.replace(DOCUMENT, '$1$4').replace(QUOTED, PLACEHOLDER) : text;
      if (STRANGE.test(bare) || ENDS.test(bare) || startsAgent.test(text) || ACTS.test(bare)) return false;
      // Files may arrive in a directory without being named.
      if ((BRINGS.test(bare) || RUNS_CODE.test(bare)) && namesHolder.test(text)) return false;
      // Both hold texts whose words do not stand here as the shell would read them.
      const isVeiled = isQuoted || text.includes('printf');
      if (isVeiled && (HIDDEN.test(bare) || RUNS_TEXT.test(bare))) return false;
      if (GOES.test(bare) && !goesElsewhere(bare, cwd)) return false;
      if (!FILE_WRITTEN.test(bare) && !REMOVES.test(bare)) return true;
      return !(isVeiled && LEAVES_TEXT.test(bare)) && changesElsewhere(bare, cwd);
    },
    isPlainFile: (path, cwd) => path.length <= LONGEST && !speaksOfUs.test(path) && isClearHere(cwd) && isElsewhere(path, cwd),
  };
}

/** A name begins behind something that is part of none; one with a dot may also stand right behind an option. */
function patternsOf({ inside }: DistinctiveNames, marks: readonly string[]): string {
  return [...[...inside].map(begun), ...marks.filter((mark) => !mark.includes('/')).map(escaped)].join('|');
}

const begun = (name: string): string => (name.startsWith('.') ? escaped(name) : `(?<![\\w.-])${escaped(name)}`);
const escaped = (text: string): string => text.replaceAll(/[\\^$.*+?()[\]{}|/]/g, '\\$&');
const programs = (...sets: readonly Iterable<string>[]): RegExp =>
  new RegExp(`(?<![\\w.-])(?:${sets.flatMap((set) => [...set].map(escaped)).join('|')})(?![\\w.-])`);

const NEVER = /(?!)/;
const ENDS = programs(KILLERS);
/** What may put files into a directory, or goes there. */
const BRINGS = programs(COPIERS, INCOMERS, FED_WRAPPERS, LINE_READERS, ['cd', 'pushd', 'find', 'git', 'env']);
/** What these are given may be read as a command line, quotes and all. */
const RUNS_TEXT = programs(SHELLS, WRAPPERS, LINE_RUNNERS, ['eval', 'alias', 'tee']);
/** `find` does something with what it finds, or files are edited in place. */
const ACTS = /[ \t]-(?:exec|ok|delete|fprint|fls)|(?<![\w.-])(?:g?sed|perl)(?![\w.-])[^;&|\n]*[ \t]-(?:[a-zA-Z0-9]*i|-in-place)/;
const RUNS_CODE = new RegExp(`(?<![\\w.-])${INTERPRETERS.source.slice(1, -1)}(?![\\w-])`);
const REMOVES = programs(REMOVERS, WRITERS);
/** Into something else than what `2>&1` and `>/dev/null` name. */
const FILE_WRITTEN = />(?!&\d(?![^ \t\n;&|])|[ \t]?\/dev\/null(?![^ \t\n;&|]))/;
