// biome-ignore-all lint/suspicious/noTemplateCurlyInString: they are the shell's
import fc from 'fast-check';

const one = (...all: readonly string[]): fc.Arbitrary<string> => fc.constantFrom(...all);
const join = (parts: fc.Arbitrary<string>, min: number, max: number, by = ''): fc.Arbitrary<string> =>
  fc.array(parts, { minLength: min, maxLength: max }).map((all) => all.join(by));

const plain = one('a', 'b', 'x1', '.', '/', '-', '_', ':', '=', ',', '+', '@', '%', '^', 'é', '1', '~', '#', '!', '}', ']');
const anything = one(
  'a',
  ' ',
  '*',
  '?',
  '[',
  ']',
  '{',
  '}',
  ',',
  '|',
  '&',
  ';',
  '<',
  '>',
  '(',
  ')',
  '#',
  '~',
  '!',
  '=',
  '\t',
  '\n',
  '%',
  'b',
);
const quotable = one(
  'a',
  ' ',
  '*',
  '{',
  ',',
  '}',
  '|',
  '&',
  ';',
  '#',
  '~',
  "'",
  '(',
  ')',
  '\n',
  '\\$',
  '\\\\',
  '\\"',
  '\\`',
  '\\a',
  '\\\n',
  'b',
  '!',
);
/** `A`, `B`, `E` and `list` are set before; nothing else is. */
const named = one('A', 'B', 'E', 'D');
const ansi = one(
  'a',
  ' ',
  '\\n',
  '\\t',
  "\\'",
  '\\"',
  '\\\\',
  '\\x41',
  '\\x7',
  '\\101',
  '\\60',
  '\\u00e9',
  '\\xc3\\xa9',
  '\\e',
  '\\cA',
  '\\q',
  '*',
  '"',
  '$A',
  '\\?',
);

const { word } = fc.letrec<{ word: string; piece: string; inQuotes: string; text: string; command: string; braces: string }>((tie) => ({
  text: join(plain, 1, 3),
  inQuotes: fc.oneof({ weight: 5, arbitrary: quotable }, tie('expansion') as fc.Arbitrary<string>),
  expansion: fc.oneof(
    named.map((name) => `$${name}`),
    named.map((name) => `\${${name}}`),
    one(
      '${list[@]}',
      '${list[1]}',
      '${list[0]}',
      '$list',
      '${list[*]}',
      '$*',
      '$@',
      '$1',
      '${2}',
      '$((1+2))',
      '$(( (1<<2) ))',
      '${#A}',
      '$#',
      '${#list[@]}',
    ),
    fc.tuple(one('U', 'E', 'A'), one(':-', '-', ':=', '='), tie('text')).map(([name, how, other]) => `\${${name}${how}${other}}`),
    fc.tuple(one('A', 'E'), one(':+', '+'), tie('text')).map(([name, how, other]) => `\${${name}${how}${other}}`),
    fc
      .tuple(named, one('#', '##', '%', '%%', '/', '//'), one('a', '*a', 'a*', '*', '?', 'b*c', '.*', '*/', 'a/b', 'x'))
      .map(([name, how, what]) => `\${${name}${how}${what}}`),
    named.map((name) => `\${${name}^^}`),
    fc.tuple(named, one(':1', ':0:2', ':1:1', ': -1')).map(([name, how]) => `\${${name}${how}}`),
    (tie('command') as fc.Arbitrary<string>).map((command) => `$(${command})`),
    tie('text').map((text) => `\`echo ${text}\``),
    tie('text').map((text) => `\`echo "\\\`echo ${text}\\\`"\``),
  ),
  command: fc.oneof(
    join(tie('piece'), 1, 2).map((given) => `echo ${given}`),
    join(tie('piece'), 1, 2).map((given) => `printf '%s\\n' ${given}`),
    join(tie('piece'), 1, 1).map((given) => `echo ${given} # it's )\n`),
    tie('text').map((text) => `case x in (x) echo ${text};; esac`),
    tie('text').map((text) => `cat <<END\n${text} $A\nEND\n`),
  ),
  braces: fc.oneof(
    join(tie('piece'), 2, 3, ',').map((inner) => `{${inner}}`),
    one(
      '{1..3}',
      '{c..a}',
      '{01..3}',
      '{1..5..2}',
      '{a,{b,c}}',
      '{a}',
      '{}',
      '{a,b',
      '{,x}',
      '{a,b}{1,2}',
      '{1..2000}',
      '{-1..1}',
      '{a..3}',
    ),
  ),
  piece: fc.oneof(
    { weight: 4, arbitrary: tie('text') },
    join(anything, 0, 3).map((text) => `'${text.replaceAll("'", '')}'`),
    { weight: 2, arbitrary: join(tie('inQuotes'), 0, 4).map((text) => `"${text}"`) },
    anything.map((char) => `\\${char}`),
    join(ansi, 0, 3).map((text) => `$'${text}'`),
    join(quotable, 0, 2).map((text) => `$"${text}"`),
    { weight: 2, arbitrary: tie('expansion') as fc.Arbitrary<string> },
    tie('braces'),
    one('*', '?', '[ab]', '*.none', 'a*'),
    one('~', '~/x', 'n=~/x', 'n=a:~:b', '~"x"', 'x~', '--n=~/x', '~+', '"~"', "~'/'"),
    one('\\\n', 'a\\\nb'),
  ),
  word: join(tie('piece'), 1, 3),
})) as { word: fc.Arbitrary<string> };

const between = one(' ', ' ', ' ', '  ', '\t', ' \\\n');
const words = fc.array(fc.tuple(between, word), { minLength: 1, maxLength: 4 }).map((all) => all.map((pair) => pair.join('')).join(''));
const file = one('f1', '"f 2"', "'f3'", 'f\\4', '$A.f', 'f{5', '"$(echo f6)"');
const redirection = fc.oneof(
  fc.tuple(one('>', '>>', '>|', '&>', '2>', '1>>', '<>', '>&', '> '), file).map((all) => all.join('')),
  one('2>&1', '</dev/null', '>&2', '2>&-', '<&-', '{fd}>f9'),
);
const line = one(
  'a b',
  '$A',
  '"$A"',
  "'x'",
  '\\$A',
  '\\x',
  '`echo b`',
  '$(echo c)',
  '\ttab',
  'END ',
  '*',
  '~',
  '"',
  '\\\\',
  'a\\',
  '',
  '${U:-d}',
);
const documents = fc
  .tuple(one('END', "'END'", '\\END', '"E"ND', '-END', '- "END"'), join(line, 0, 3, '\n'), words, one('', ' >f7', ' | cat'))
  .map(([end, body, given, after]) => `fed${given} <<${end}${after}\n${body}${body === '' ? '' : '\n'}END\n`);

const call = fc.oneof(
  { weight: 6, arbitrary: words.map((given) => `stub${given}`) },
  fc.tuple(words, redirection).map(([given, to]) => `stub${given} ${to}`),
  fc.tuple(redirection, words).map(([to, given]) => `${to} stub${given}`),
  fc.tuple(word, words).map(([value, given]) => `P=${value} stub${given}`),
  word.map((value) => `V=${value}; stub "$V" $V`),
  words.map((given) => `v=(${given.slice(1)}); stub "\${v[@]}" \${v[@]} "\${v[1]}"`),
  fc.tuple(words, words).map(([from, given]) => `echo${from} | stub${given}`),
  word.map((given) => `fed <<< ${given}`),
  documents,
);
const around = one(
  '@',
  '@',
  '@',
  'true && @',
  '(@)',
  '( @ )',
  '{ @; }',
  '{ @\n}',
  '!(@)',
  '! @',
  'if true; then @; fi',
  'if false; then :; else @; fi',
  'for i in x; do @; done',
  'for i in x; do stub "$i"; done; @',
  'while true; do @; break; done',
  'case x in x) @;; esac',
  'case "a b" in y|"a b") @;; *) true;; esac',
  '[[ a < b && x != y ]] && @',
  '(( 1 << 2 )) && @',
  'f() { @; }; f',
  'function f { @; }; f',
  'x=$(@); stub after',
  '@ & wait',
  '# it\'s "a" $(comment)\n@',
  'true # |\n@',
  '@; # end',
  'time @',
  'eval "@"',
  "eval '@'",
  'true |\n cat; @',
  'until @; do break; done',
  'coproc { @; }; wait',
  'set -- p "q r"; @',
  '@ && stub last',
);

/** Scripts that call `stub`, and `fed` where it reads; a real shell tells with which words. */
export const script: fc.Arbitrary<string> = fc
  .array(fc.tuple(call, around), { minLength: 1, maxLength: 2 })
  .map((all) => all.map(([inner, wrap]) => wrap.split('@').join(inner)).join('\n'));

export const PREAMBLE = `A='b c'; B=a.b/c; E=; D='* d'; list=(one 'two three' '')\n`;
