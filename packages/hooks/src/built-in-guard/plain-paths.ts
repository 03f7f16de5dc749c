import type { DistinctiveNames } from './distinctive-names.ts';
import type { Disk } from './guarded-places.ts';
import { REMOVERS, WRITERS } from './programs/known-programs.ts';

const LOOKED_AT = new Set([...REMOVERS, ...WRITERS]);

const TARGETS = /(?<![\w.-])(?:cd|pushd)[ \t]+([^ \t\n;&|]+)/g;
export const GOES = /(?<![\w.-])(?:cd|pushd)(?![\w.-])/;
const WRITTEN = />(>|&)?[ \t]*([^ \t\n;&|>]*)/g;
const REDIRECTION = /&?(?:(?<![^ \t\n;&|])\d+)?>[>&]?[ \t]*[^ \t\n;&|>]*/g;
const FLAG = /^-[\w-]*$/;
/** A path without `.` and `..`, but for `./` before it and `/` behind. */
const SIMPLE = /^(?!-)(?:\.\/)?(\/?(?:(?!\.{1,2}\/)[\w.+@-]+\/)*(?!\.{1,2}$)[\w.+@-]+)\/?$/;
const ALL_GO = new RegExp(GOES.source, 'g');
const BLANKS = /[ \t]+/;
const ENDS_COMMAND = /[;&|\n]+/;

export interface PlainPaths {
  /** A file that bears no name of ours: does it lie where it says, and hold nothing of ours? */
  isElsewhere(file: string, cwd: string): boolean;
  /** Do all its `cd` lead where they say? */
  goesElsewhere(bare: string, cwd: string): boolean;
  /** The same of all that a plain command line removes and writes. It falls apart at its spaces; where this cannot tell it says no. */
  changesElsewhere(bare: string, cwd: string): boolean;
}

export function createPlainPaths({ holding }: DistinctiveNames, disk: Disk): PlainPaths {
  const isElsewhere = (file: string, cwd: string): boolean => {
    const named = SIMPLE.exec(file)?.[1];
    if (named === undefined || holding.has(named.slice(named.lastIndexOf('/') + 1).toLowerCase())) return false;
    const path = named.startsWith('/') ? named : `${cwd}/${named}`;
    return disk.real(path) === path;
  };
  const writesElsewhere = (bare: string, cwd: string): boolean => {
    for (const [, how, target = ''] of bare.matchAll(WRITTEN)) {
      if (how === '&' ? !/^\d$/.test(target) : target !== '/dev/null' && !isElsewhere(target, cwd)) return false;
    }
    return true;
  };
  const removesElsewhere = (command: string, cwd: string): boolean => {
    const words = command.split(BLANKS);
    const first = words[0] === '' ? 1 : 0;
    const program = words[first] ?? '';
    if (!LOOKED_AT.has(program) || NOT_BY_WORDS.has(program))
      return !words.some((word) => LOOKED_AT.has(word.slice(word.lastIndexOf('/') + 1)));
    for (let at = first + 1; at < words.length; at++) {
      const word = words[at] as string;
      if (word !== '' && !FLAG.test(word) && !isElsewhere(word, cwd)) return false;
    }
    return true;
  };
  return {
    isElsewhere,
    goesElsewhere(bare, cwd) {
      let at = cwd;
      let count = 0;
      for (const [, target = ''] of bare.matchAll(TARGETS)) {
        if (!isElsewhere(target, at)) return false;
        at = target.startsWith('/') ? target : `${at}/${target.replace(/^\.\//, '').replace(/\/$/, '')}`;
        count += 1;
      }
      return count === (bare.match(ALL_GO)?.length ?? 0);
    },
    changesElsewhere(bare, cwd) {
      if (GOES.test(bare)) return false;
      const isWriting = bare.includes('>');
      if (isWriting && !writesElsewhere(bare, cwd)) return false;
      const rest = isWriting ? bare.replace(REDIRECTION, ' ') : bare;
      for (const command of rest.split(ENDS_COMMAND)) if (!removesElsewhere(command, cwd)) return false;
      return true;
    },
  };
}

/** They take paths from pipes, or write into what stands inside a word. */
const NOT_BY_WORDS = new Set(['rsync', 'dd']);
