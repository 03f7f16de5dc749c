/** One setting, as `git config --list -z` gives it; null: the name stands alone, which means true. */
export type Setting = readonly [name: string, value: string | null];

/** The output of `git config --list -z`. */
export function parseConfigList(output: Buffer): Setting[] {
  const pairs = output.toString().split('\0').filter(Boolean);
  return pairs.map((pair) => {
    const at = pair.indexOf('\n');
    return at < 0 ? [pair, null] : [pair.slice(0, at), pair.slice(at + 1)];
  });
}

/**
 * What our git takes over: how files are compared and stored, how objects and refs are kept, what is ignored, and who somebody is. No
 * program, and nothing that leads to one or to another repository. What is not here is not missed: a checkpoint does not depend on how
 * a person likes their diffs.
 */
const CARRIED: Readonly<Record<string, string>> = {
  core: [
    'repositoryformatversion filemode symlinks ignorecase precomposeunicode protecthfs protectntfs longpaths hidedotfiles',
    'autocrlf eol safecrlf checkroundtripencoding trustctime checkstat ignorestat',
    'excludesfile attributesfile sparsecheckout sparsecheckoutcone',
    'sharedrepository logallrefupdates fsync fsyncmethod fsyncobjectfiles createobject filesreflocktimeout packedrefstimeout',
    'compression loosecompression bigfilethreshold packedgitwindowsize packedgitlimit deltabasecachelimit preloadindex untrackedcache',
    'commitgraph multipackindex commentchar commentstring maxtreedepth',
  ].join(' '),
  extensions: 'objectformat compatobjectformat refstorage preciousobjects relativeworktrees',
  index: 'version threads sparse skiphash recordendofindexentries recordoffsettable',
  pack: 'threads window windowmemory depth compression deltacachesize deltacachelimit',
  user: 'name email',
  commit: 'cleanup',
  trailer: 'separators',
  diff: 'renamelimit algorithm',
  blame: 'ignorerevsfile markignoredlines markunblamablelines',
  // What a branch follows.
  'branch.*': 'merge remote',
  'remote.*': 'fetch',
};

const NAMES = new Map(Object.entries(CARRIED).map(([section, names]) => [section, new Set(names.split(' '))]));

interface Parts {
  readonly section: string;
  readonly subsection: string | undefined;
  readonly key: string;
}

/** Section and key are lower case in git's own listing; a subsection is as somebody wrote it, dots and all. */
function partsOf(name: string): Parts {
  const [first, last] = [name.indexOf('.'), name.lastIndexOf('.')];
  return {
    section: name.slice(0, first).toLowerCase(),
    subsection: first === last ? undefined : name.slice(first + 1, last),
    key: name.slice(last + 1).toLowerCase(),
  };
}

/** Whether our git takes over a setting of this name. */
export function isCarried(name: string): boolean {
  const { section, subsection, key } = partsOf(name);
  return NAMES.get(subsection === undefined ? section : `${section}.*`)?.has(key) ?? false;
}

/** A clone without all of its objects says so, and nothing is fetched: this remote is nowhere. */
const PARTIAL: readonly Setting[] = [
  ['extensions.partialclone', 'piton-nowhere'],
  ['remote.piton-nowhere.promisor', 'true'],
];

const isPartial = ([name]: Setting): boolean => name === 'extensions.partialclone' || /^remote\..*\.promisor$/s.test(name);

/** The configuration of our git in a repository with these settings. */
export function carriedConfiguration(settings: readonly Setting[]): string {
  const carried = settings.filter(([name]) => isCarried(name));
  return [...carried, ...(settings.some(isPartial) ? PARTIAL : [])].map(lineOf).join('');
}

function lineOf([name, value]: Setting): string {
  const { section, subsection, key } = partsOf(name);
  const head = subsection === undefined ? section : `${section} "${escaped(subsection)}"`;
  return `[${head}]\n\t${key}${value === null ? '' : ` = "${escaped(value).replaceAll('\n', '\\n').replaceAll('\t', '\\t')}"`}\n`;
}

const escaped = (text: string): string => text.replaceAll('\\', '\\\\').replaceAll('"', '\\"');
