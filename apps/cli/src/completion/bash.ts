import { allNodes, type CommandNode } from './tree.ts';

/** Words by command path. What only the store or the repository knows is asked of the command itself. Everything else falls back to file names. */
export function bashScript(tree: CommandNode): string {
  const cases = allNodes(tree).map(
    (node) => `    ${JSON.stringify(node.path.join(' '))}) words=${JSON.stringify(wordsOf(node).join(' '))} kind=${node.argument ?? ''} ;;`,
  );
  const values = new Map(
    allNodes(tree).flatMap(({ options }) =>
      options.flatMap(({ flags, value }) => (value ? flags.map((flag) => [flag, value] as const) : [])),
    ),
  );
  const options = [...values].map(([flag, kind]) => `    ${flag}) words="" kind=${kind} ;;`);
  const paths = allNodes(tree)
    .filter((node) => node.path.length > 0)
    .map((node) => JSON.stringify(node.path.join(' ')));
  return `# bash completion for piton
_piton() {
  local current="\${COMP_WORDS[COMP_CWORD]}" path="" word words="" kind="" next
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
  case "$current" in -*) kind="" ;; esac
  [ -n "$kind" ] && words="$words $("\${COMP_WORDS[0]}" candidates "$kind" 2>/dev/null)"
  mapfile -t COMPREPLY < <(compgen -W "$words" -- "$current")
}
complete -o default -F _piton piton
`;
}

function wordsOf(node: CommandNode): string[] {
  return [...node.children.map((child) => child.path.at(-1) ?? ''), ...node.choices, ...node.options.flatMap((option) => option.flags)];
}
