import { allNodes, type CommandNode } from './tree.ts';

/** Words by command path; everything else falls back to file names. */
export function bashScript(tree: CommandNode): string {
  const cases = allNodes(tree).map(
    (node) => `    ${JSON.stringify(node.path.join(' '))}) words=${JSON.stringify(wordsOf(node).join(' '))} ;;`,
  );
  const paths = allNodes(tree)
    .filter((node) => node.path.length > 0)
    .map((node) => JSON.stringify(node.path.join(' ')));
  return `# bash completion for piton
_piton() {
  local current="\${COMP_WORDS[COMP_CWORD]}" path="" word words="" next
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
  mapfile -t COMPREPLY < <(compgen -W "$words" -- "$current")
}
complete -o default -F _piton piton
`;
}

function wordsOf(node: CommandNode): string[] {
  return [...node.children.map((child) => child.path.at(-1) ?? ''), ...node.choices, ...node.options.flatMap((option) => option.flags)];
}
