import { textOf, type Words } from '../named-place.ts';
import { names, READERS } from './known-programs.ts';

/** Programs that only read, unless one of their words says otherwise. */
const UNLESS: readonly (readonly [string, RegExp])[] = [
  ['yq dasel', /^(?:-[a-zA-Z]*i|--in-?place|put|delete|-w|--write)/],
  ['prettier', /^(?:-w|--write)$/],
  ['eslint stylelint oxlint', /^(?:--fix\w*|-o|--output-file)/],
  ['biome', /^(?:--(?:write|fix|apply|unsafe|apply-unsafe)|init|migrate|start)$/],
  ['openssl', /^(?:-out|-keyout|-writerand|rand|enc|genrsa|genpkey|req|ca)$/],
  ['jsonlint', /^(?:-i|--in-place)$/],
  ['xmllint', /^(?:-o|--output)/],
  ['tidy', /^-[a-z]*[mo]|^-modify|^-output/],
  ['shfmt', /^(?:-[a-z]*w|--write|--apply-ignore)/],
  ['taplo', /^(?:fmt|format)$/],
  ['iconv pygmentize pandoc highlight', /^(?:-o|--output)/],
  ['mlr', /^-I$/],
  ['sd', /./],
  ['codespell typos', /^(?:-[a-z]*w|--write-changes)/],
  ['markdownlint markdownlint-cli2', /^(?:--fix|-f|-o|--output)/],
  ['sdiff', /^(?:-o|--output)/],
  ['gpg', /^(?:-[a-z]*[oed]|--output|--encrypt|--decrypt|--sign|--detach-sign|--import|--export)/],
  ['ssh-keygen', /^-[a-zA-Z]*[pcRfNPtYDK]$(?<!^-lf$)/],
  ['fuser', /^-[a-zA-Z]*k|^--kill$/],
  ['ajv ajv-cli check-jsonschema jsonschema', /^(?:-o|compile|migrate)$/],
  ['tsc', /^(?!--noEmit$|-p$|--project$|--pretty)-/],
];

/** Programs that only read where one of their words says so. */
const ONLY_WITH: readonly (readonly [string, RegExp])[] = [
  [
    'gzip bzip2 xz zstd lz4 brotli gunzip bunzip2 unxz unzstd compress',
    /^(?:-[a-zA-Z0-9]*[clt][a-zA-Z0-9]*|--stdout|--to-stdout|--list|--test)$/,
  ],
  ['black isort yapf autopep8 gofmt', /^(?:--check(?:-only)?|--diff|-d|-l)$/],
  ['ruff', /^(?:--check|--diff|check|rule)$/],
  ['rustfmt clang-format', /^(?:--check|--dry-run|-n)$/],
  ['vim nvim vi', /^-[RM]$/],
  ['sqlite3', /^-readonly$/],
  ['unzip', /^-[a-zA-Z]*[lptZvz]/],
  ['7z 7za', /^[lt]$/],
  ['gh', /^(?:gist|issue|pr|api|view)$/],
  ['docker podman', /^(?:cp|build|inspect|logs|ps|images)$/],
];

const BY_NAME: ReadonlyMap<string, (words: Words) => boolean> = new Map([
  ...UNLESS.flatMap(([programs, writes]) => [...names(programs)].map((name) => [name, (words: Words) => !has(words, writes)] as const)),
  ...ONLY_WITH.flatMap(([programs, reads]) => [...names(programs)].map((name) => [name, (words: Words) => has(words, reads)] as const)),
]);

const has = (words: Words, word: RegExp): boolean => words.some((said) => word.test(textOf(said)));

/** Does this program, with these words, leave all that it is given as it is? */
export function isReader(name: string, words: Words): boolean {
  if (name === 'deno') return denoReads(words);
  return READERS.has(name) || BY_NAME.get(name)?.(words) === true;
}

/** The same word is a check in some of its commands, and a permission to run in others. */
function denoReads(words: Words): boolean {
  const command = textOf(words[0]);
  if (command === 'fmt') return has(words, /^--check$/);
  return /^(?:lint|check|info|doc)$/.test(command) && !has(words, /^--fix$/);
}
