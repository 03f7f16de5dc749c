import { names } from './known-programs.ts';

/** A language, as far as it takes to see that code in it only reads. Whatever is not listed may write. */
interface Language {
  /** They appear as calls and never else, so that none of them gets another name or is handed on. */
  readonly calls: ReadonlySet<string>;
  readonly words: ReadonlySet<string>;
  /** What binds a name of the code's own. */
  readonly binds: RegExp;
  /** Calls that could be told to write, in the forms in which they are not. */
  readonly careful: { readonly name: RegExp; readonly form: RegExp };
  readonly forbidden: RegExp;
}

const TEXT = `'[^'\\\\\\n]*'|"[^"\\\\\\n]*"`;

const PYTHON: Language = {
  calls: names(`
    print open read readline readlines read_text splitlines strip load loads dumps exists isfile isdir join len str int repr
    keys values items get enumerate range
  `),
  words: names(`
    import json sys os path argv stdin with as for in if else elif not and or is None True False indent sort_keys
    ensure_ascii encoding
  `),
  binds: /(?:^|[;\n:])\s*([A-Za-z_]\w*)(?=\s*=(?!=))|\bfor\s+([A-Za-z_]\w*)(?=\s+in\b)|\bas\s+([A-Za-z_]\w*)/g,
  careful: {
    name: /\bopen\s*\(/g,
    form: new RegExp(
      `(?<!\\.)\\bopen\\(\\s*(?:${TEXT}|sys\\.argv\\[\\d\\]|\\w+)\\s*(?:,\\s*['"]r[bt]?['"]\\s*)?(?:,\\s*encoding\\s*=\\s*(?:${TEXT})\\s*)?\\)`,
      'g',
    ),
  },
  // Nor is any module brought in but these, under its own name.
  forbidden: /\.\s*\w+\s*=(?!=)|\bimport\b(?!\s+(?:json|sys|os)(?:\s*,\s*(?:json|sys|os))*\s*(?:[;\n]|$))/,
};

const SCRIPT: Language = {
  calls: names(
    'log error require readFileSync existsSync readdirSync statSync parse stringify join resolve keys values entries toString trim split',
  ),
  words: names(`
    const let var console fs path os JSON Object process argv null true false undefined hooks length version name permissions env model
    enabled settings guard command event matcher description scripts
  `),
  binds: /\b(?:const|let|var)\s+([A-Za-z_]\w*)(?=\s*=(?!=))/g,
  careful: {
    name: /\b(?:require|readFileSync)\s*\(/g,
    form: new RegExp(
      `\\brequire\\(\\s*['"](?:(?:node:)?(?:fs|path|os)|[^'"\\n]*\\.json)['"]\\s*\\)|\\breadFileSync\\(\\s*(?:${TEXT}|process\\.argv\\[\\d\\]|\\w+)\\s*(?:,\\s*['"]utf-?8['"]\\s*)?\\)`,
      'g',
    ),
  },
  forbidden: /\.\s*\w+\s*=(?!=)|[{}]|[\w)\]'"]\s*\[(?!\d+\])/,
};

const LANGUAGES: readonly (readonly [RegExp, Language])[] = [
  [/^python[\d.]*$/, PYTHON],
  [/^(?:node|nodejs)$/, SCRIPT],
];
const LONGEST = 4000;
const TOKEN = new RegExp(`(${TEXT})|([A-Za-z_]\\w*)|\\d[\\d.]*|\\s+|[-+*/%=<>!()[\\]{},.:;|&?]`, 'y');
/** What is called must have a name of its own. */
const NAMELESS_CALL = /[)\]'"]\s*\(/;
const LONG_TEXT = /'''|"""/;
const count = (text: string, pattern: RegExp): number => text.match(pattern)?.length ?? 0;

/** What may do more than look at the line that was read. */
const MAY_WRITE =
  /\b(?:open|unlink|rename|system|exec|truncate|mkdir|rmdir|chmod|chown|utime|link|symlink|eval|require|use|do|File|IO|FileUtils|Dir|Kernel|spawn|fork|syswrite|select|local)\b|[`>|]|\bs\W.*\W[a-z]*e[a-z]*\s*;?\s*$/;

/** `perl -ne '…' file`: the files are read line by line, and the code only looks at the lines. */
export function onlyReadsLines(interpreter: string, words: readonly string[], code: string): boolean {
  if (!/^(?:perl|ruby)/.test(interpreter) || words.some((word) => /^-[a-zA-Z]*i/.test(word))) return false;
  return words.some((word) => /^-[a-zA-Z0-9]*[np][a-zA-Z0-9]*$/.test(word)) && code.length < LONGEST && !MAY_WRITE.test(code);
}

/** Is it plain that this code does nothing but read? */
export function onlyReads(interpreter: string, code: string): boolean {
  const language = LANGUAGES.find(([name]) => name.test(interpreter))?.[1];
  if (language === undefined || code.length > LONGEST || LONG_TEXT.test(code)) return false;
  const { calls, words, binds, careful, forbidden } = language;
  const plain = code.replaceAll('from pathlib import Path', '').replaceAll(/\bPath(?=\()/g, 'str');
  const bare = plain.replaceAll(new RegExp(TEXT, 'g'), "''");
  if (forbidden.test(bare) || NAMELESS_CALL.test(bare) || count(plain, careful.name) !== count(plain, careful.form)) return false;
  const own = new Set([...bare.matchAll(binds)].map(([, ...found]) => found.join('')));
  let beforeDot = false;
  let afterName = false;
  TOKEN.lastIndex = 0;
  while (TOKEN.lastIndex < plain.length) {
    const [whole, text, name] = TOKEN.exec(plain) ?? [];
    if (whole === undefined || (text !== undefined && afterName)) return false;
    if (name !== undefined && !isHarmless(name, /^\s*\(/.test(plain.slice(TOKEN.lastIndex, TOKEN.lastIndex + 40)))) return false;
    beforeDot = whole === '.' || (beforeDot && /^\s/.test(whole));
    afterName = name !== undefined;
  }
  return true;

  function isHarmless(name: string, isCalled: boolean): boolean {
    if (calls.has(name)) return isCalled && !own.has(name);
    return words.has(name) || (own.has(name) && !isCalled && !beforeDot);
  }
}
