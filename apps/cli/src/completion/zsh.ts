import { allNodes, type CommandNode } from './tree.ts';

export function zshScript(tree: CommandNode): string {
  const nodes = allNodes(tree);
  const cases = nodes.map(
    (node) =>
      `    ${quote(node.path.join(' '))}) words_here=(${entriesOf(node).join(' ')}) options_here=(${optionsOf(node).join(' ')}) kind=${node.argument ?? ''} files=${node.takesArgument ? 1 : ''} ;;`,
  );
  const values = new Map(
    nodes.flatMap(({ options }) =>
      options.flatMap(({ flags, takesValue, value }) => (takesValue ? flags.map((flag) => [flag, value ?? ''] as const) : [])),
    ),
  );
  const options = [...values].map(([flag, kind]) => `    ${flag}) words_here=() kind=${kind} files=1 ;;`);
  const paths = nodes.filter((node) => node.path.length > 0).map((node) => quote(node.path.join(' ')));
  return `#compdef piton
_piton() {
  local here="" word next kind="" files=""
  local -a words_here options_here
  for word in \${words[2,CURRENT-1]}; do
    [[ $word == -* ]] && continue
    next="\${here:+$here }$word"
    case "$next" in
    ${paths.join('|')}) here="$next" ;;
    esac
  done
  case "$here" in
${cases.join('\n')}
  esac
  case "\${words[CURRENT-1]}" in
${options.join('\n')}
  esac
  if [[ \${words[CURRENT]} == -* ]]; then
    words_here=($options_here) kind="" files=""
  fi
  [[ -n $kind ]] && words_here+=(\${\${(f)"$("\${words[1]}" candidates $kind "\${words[CURRENT]}" 2>/dev/null)"}//:/\\\\:})
  _describe 'piton' words_here || { [[ -n $files ]] && _files }
}
compdef _piton piton
`;
}

const quote = (text: string): string => `'${text.replaceAll("'", "'\\''")}'`;

/** \`_describe\` takes \`word:what it is\`; a colon in the word itself would end it. */
function entriesOf(node: CommandNode): string[] {
  const children = node.children.map((child) => quote(`${child.path.at(-1)}:${child.description}`));
  return [...children, ...node.choices.map(quote)];
}

const optionsOf = (node: CommandNode): string[] =>
  node.options.flatMap(({ flags, description }) => flags.map((flag) => quote(`${flag}:${description}`)));
