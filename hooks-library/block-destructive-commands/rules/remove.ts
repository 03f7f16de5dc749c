import { actionsOf, FOUND, isNarrowed, OUTPUT, resolvePath, rootsOf, STAR, type Surroundings } from '@piton/shell';
import { type Finding, hasOption, operandsOf, type Rule, type Rules } from '../rule.ts';
import { isDirectory, isTemporary, protectedName } from '../targets.ts';

const INSTEAD = 'Remove only the files that you made, each by its own path inside the project, such as `rm -rf ./dist`.';

const remove: Rule = ({ args, cwd }, surroundings) => {
  const recursive = hasOption(args, 'rR', '--recursive');
  // `ls | while read f; do rm "$f"`: a variable keeps the star as a character.
  const targets = operandsOf(args).map((target) => (target === '*' ? STAR : target));
  const found = foundIn(targets, cwd, surroundings); // `find ~ -name '*.log' | while read f; do rm "$f"`
  if (found !== undefined) return found;
  if (args.includes('--no-preserve-root')) return { what: 'it would remove the root of the file system', instead: INSTEAD };
  for (const target of targets) {
    const name = protectedName(target, cwd, surroundings);
    // Without -r only a glob matches anything: `rm ~/*`. A directory alone stands for what `find` lists in it: `find ~ | xargs rm`.
    if (name !== undefined && (recursive || /\uE000/.test(target) || isDirectory(target, cwd, surroundings)))
      return { what: `it would remove ${name}`, instead: INSTEAD };
    if (recursive && target.includes(OUTPUT) && target.replaceAll(OUTPUT, '') === '')
      return {
        what: 'it would remove whatever another command prints',
        instead: 'Look at that list first, then name what is to be removed.',
        ask: true,
      };
  }
  return undefined;
};

/** `rimraf`, `del-cli` and the like are always recursive. */
const removeAll: Rule = (call, surroundings) => remove({ ...call, args: ['-r', ...call.args] }, surroundings);

const FROM_THERE = 'Start in the directory that you mean, choose by -name or -path, and look at the list with -print first.';

const find: Rule = ({ args, cwd }, surroundings) => {
  const removes =
    args.includes('-delete') || actionsOf(args).some((words) => words.some((word) => /(?:^|\/)(?:rm|shred|unlink|rmdir|srm)$/.test(word)));
  if (!removes) return undefined;
  for (const root of rootsOf(args)) {
    const always = protectedName(root, cwd, surroundings, false);
    const name = always ?? (isNarrowed(args) ? undefined : protectedName(root, cwd, surroundings));
    if (name !== undefined)
      return {
        what: `it would remove what \`find\` finds in ${name}`,
        instead: FROM_THERE,
      };
  }
  return undefined;
};

/** `find ~ -name '*.log' | xargs rm`: chosen by name, but from everywhere. */
const fed: Rule = ({ args, stdin = '', cwd }, surroundings) => {
  // Only options and wrappers may stand before it: `xargs grep rm` removes nothing.
  const program = args.find((arg) => !/^(?:-.*|\d+|\{\}|%|sudo|doas|env|nice|command)$/.test(arg));
  if (!/(?:^|\/)(?:rm|unlink|shred|srm)$/.test(program ?? '')) return undefined;
  return foundIn(stdin.split('\n'), cwd, surroundings);
};

/** Files that `find` has chosen: from where? */
function foundIn(paths: readonly string[], cwd: string, surroundings: Surroundings): Finding | undefined {
  for (const path of paths.filter((each) => each.endsWith(`/${FOUND}`))) {
    const name = protectedName(path.slice(0, -FOUND.length - 1) || '/', cwd, surroundings, false);
    if (name !== undefined) return { what: `it would remove what \`find\` finds in ${name}`, instead: FROM_THERE };
  }
  return undefined;
}

const fd: Rule = ({ args }) => {
  const at = args.findIndex((arg) => /^(?:-[xX]|--exec(?:-batch)?)$/.test(arg));
  if (
    at < 0 ||
    args[at + 1] !== 'rm' ||
    operandsOf(args.slice(0, at)).some((arg) => arg !== '.') ||
    args.slice(0, at).some((arg) => /^-(?:[eEdtg]|-ext)/.test(arg))
  )
    return undefined;
  return { what: 'it would remove all that `fd` finds', instead: 'Give a pattern, and look at the list first.' };
};

const shred: Rule = () => ({ what: 'shred leaves nothing to come back to', instead: 'Remove the one file with `rm`, if it must go.' });

const truncate: Rule = ({ args, cwd }, surroundings) => {
  const empties = args.some(
    (arg, at) =>
      /^(?:-s|--size)(?:=?[-<]?0\w*|=?-\d+\w*)$/.test(arg) || (/^(?:-s|--size)$/.test(arg) && /^[-<%]?0\w*$|^-\d/.test(args[at + 1] ?? '')),
  );
  const harmless = (target: string): boolean => /\.(?:log|out|tmp)$/.test(target) || isTemporary(resolvePath(cwd, target));
  const targets = operandsOf(args).filter((arg) => !/^[-<>/%]?\d+\w*$/.test(arg));
  if (!empties || targets.every(harmless)) return undefined;
  return {
    what: `it would empty ${targets.map((target) => protectedName(target, cwd, surroundings) ?? target).join(', ')}`,
    instead: 'Write the new content with your edit tool instead.',
  };
};

const move: Rule = ({ args, cwd }, surroundings) => {
  const targets = operandsOf(args);
  const lost = targets.at(-1) === '/dev/null';
  const named = targets.slice(0, -1).map((target) => protectedName(target, cwd, surroundings, lost));
  const name = named.find((each) => each !== undefined);
  if (lost) return { what: 'what is moved to /dev/null is gone', instead: INSTEAD };
  return name === undefined ? undefined : { what: `it would move ${name} away`, instead: 'Move single files inside the project.' };
};

const sync: Rule = ({ args, cwd }, surroundings) => {
  const destination = operandsOf(args).at(-1);
  if (destination === undefined || !args.some((arg) => arg.startsWith('--del')) || hasOption(args, 'n', '--dry-run')) return undefined;
  const name = protectedName(destination, cwd, surroundings);
  return name === undefined
    ? undefined
    : { what: `it would delete files in ${name}`, instead: 'Run it with --dry-run first, into a directory of its own.' };
};

const owner: Rule = ({ program, args, cwd }, surroundings): Finding | undefined => {
  if (!hasOption(args, 'R', '--recursive')) return undefined;
  const name = operandsOf(args)
    .slice(1)
    .map((target) => protectedName(target, cwd, surroundings, false))
    .find((each) => each !== undefined);
  return name === undefined
    ? undefined
    : { what: `${program} would change everything in ${name}`, instead: 'Change only the files of the project that need it.' };
};

export const REMOVING: Rules = {
  rm: remove,
  rmdir: ({ args, ...call }, surroundings) => remove({ ...call, args: ['-r', ...operandsOf(args)] }, surroundings),
  srm: removeAll,
  rimraf: removeAll,
  unlink: remove,
  find,
  fd,
  xargs: fed,
  parallel: fed,
  shred,
  truncate,
  mv: move,
  rsync: sync,
  chmod: owner,
  chown: owner,
  chgrp: owner,
};
