/** The command, as a program, a package (of this name, and the one that it is published by) or the file behind it. */
const NAMES = /(?:^|\/)(?:piton(?:\.[cm]?js)?|@piton\/cli)(?:@[\w.^~-]+)?$|\/?piton[^/]*\/(?:[^/]+\/)*cli\.mjs$/;

export const isPitonCommand = (program: string): boolean => program.length < 4096 && NAMES.test(program);

/** The variable that lets `--yes` count under an agent. */
export const LIFTING_VARIABLE = 'PITON_ALLOW_UNDER_AGENT';

type Options = ReadonlySet<string>;
/** Which runs of a command are the person's; `true` is all of them. */
type Persons = true | ((options: Options, operands: readonly string[]) => boolean);

/** Without a yes it only lists. */
const unlessListed: Persons = (options) => !options.has('--json') || options.has('--yes');
const whereNamed: Persons = (_, operands) => operands.length > 0;

/**
 * Every command of Piton's that is for a person alone: with it an agent could take its guards away. The rest is for everybody.
 * A test of the command line compares this with the commands that there are, so that a new one has to be put on one side.
 */
export const PERSONS_COMMANDS: Readonly<Record<string, Persons>> = {
  init: true,
  uninstall: true,
  trust: unlessListed,
  untrust: unlessListed,
  'hooks add': whereNamed, // without a name it lists what there is
  'hooks remove': true,
  'hooks update': true,
  'hooks sign': true,
  'hooks promote': true,
  'hooks new': (options) => !(options.has('--scope=project') && options.has('--no-trust')),
  import: true,
  materialize: true,
  'settings set': true,
  'settings unset': true,
  'settings edit': true,
  'server stop': true,
  clean: true,
  'observations delete': true,
  'mcp install': true,
  'mcp uninstall': true,
  'team join': true,
  'team leave': true,
  'team consent': true,
  'team serve': true,
  'team migrate': true,
  'team maintain': true,
  'team tenant': true,
  'team code': true,
  'team end': true,
  'team bodies': true,
  'team person role': true,
  'team person export': true,
  'team person delete': true,
};

/** They show what would be done, and do nothing. */
const ONLY_SHOWS = ['--help', '-h', '--list', '--dry-run'];

/** The word behind one of these is its value, even if it looks like an option. Of the commands above: a test compares them. */
const TAKES_VALUE =
  /^--(?:admin|agents?|as|body-days|catalogue|code|database|days|digest|event|hook|key|lang|listen|may|minutes|mode|name|older-than|out|output|person|plugin|repo|scope|secret-file|sessions|url)$/;

function optionsOf(words: readonly string[]): Options {
  const options = new Set<string>();
  for (let at = 0; at < words.length; at++) {
    const word = words[at] ?? '';
    if (word.startsWith('-')) options.add(word);
    if (TAKES_VALUE.test(word)) options.add(`${word}=${words[++at] ?? ''}`);
  }
  return options;
}

/** What of Piton's command is for a person alone, by the words behind its name. Undefined: an agent may run it. */
export function personsCommand(words: readonly string[]): string | undefined {
  const end = words.indexOf('--');
  const own = end < 0 ? words : words.slice(0, end);
  const options = optionsOf(own);
  if (ONLY_SHOWS.some((option) => options.has(option))) return undefined;
  const operands = words.filter((word) => !word.startsWith('-'));
  for (const length of [3, 2, 1]) {
    const name = operands.slice(0, length).join(' ');
    const persons = Object.hasOwn(PERSONS_COMMANDS, name) ? PERSONS_COMMANDS[name] : undefined;
    if (persons !== undefined) return persons === true || persons(options, operands.slice(length)) ? `piton ${name}` : undefined;
  }
  return undefined;
}
