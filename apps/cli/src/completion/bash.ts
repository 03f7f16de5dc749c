import { allNodes, type CommandNode } from './tree.ts';

/**
 * Words by command path. What only the store or the repository knows is asked of the command itself. A word is compared and never
 * expanded: some of them are names of files in somebody else's repository. Where nothing is known, file names are offered.
 */
export function bashScript(tree: CommandNode): string {
  const nodes = allNodes(tree);
  const cases = nodes.map(
    (node) =>
      `    ${JSON.stringify(node.path.join(' '))}) words=${JSON.stringify(wordsOf(node).join(' '))} options=${JSON.stringify(optionsOf(node).join(' '))} kind=${node.argument ?? ''} files=${node.takesArgument ? 1 : ''} ;;`,
  );
  const values = new Map(
    nodes.flatMap(({ options }) =>
      options.flatMap(({ flags, takesValue, value }) => (takesValue ? flags.map((flag) => [flag, value ?? ''] as const) : [])),
    ),
  );
  const options = [...values].map(([flag, kind]) => `    ${flag}) words="" kind=${kind} files=1 ;;`);
  const paths = nodes.filter((node) => node.path.length > 0).map((node) => JSON.stringify(node.path.join(' ')));
  return `# bash completion for piton
_piton() {
  local current="\${COMP_WORDS[COMP_CWORD]}" path="" word words="" options="" kind="" files="" next
  for word in "\${COMP_WORDS[@]:1:COMP_CWORD-1}"; do
    case "$word" in -*) continue ;; esac
    next="\${path:+$path }$word"
    case "$next" in
    ${paths.join('|')}) path="$next" ;;
    esac
  done
  case "$path" in
${cases.join('\n')}
  esac
  case "\${COMP_WORDS[COMP_CWORD-1]}" in
${options.join('\n')}
  esac
  case "$current" in -*) words="$options" kind="" files="" ;; esac
  COMPREPLY=()
  while IFS= read -r word; do
    case "$word" in "$current"*) [ -n "$word" ] && COMPREPLY+=("$word") ;; esac
  done < <(
    printf '%s\\n' $words
    [ -n "$kind" ] && "\${COMP_WORDS[0]}" candidates "$kind" "$current" 2>/dev/null
  )
  [ -n "$files" ] || compopt +o default 2>/dev/null
  return 0
}
complete -o default -F _piton piton
`;
}

export const wordsOf = (node: CommandNode): string[] => [...node.children.map((child) => child.path.at(-1) ?? ''), ...node.choices];

const optionsOf = (node: CommandNode): string[] => node.options.flatMap((option) => option.flags);
