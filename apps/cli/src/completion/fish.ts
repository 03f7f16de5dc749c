import type { CandidateKind } from './candidates.ts';
import { allNodes, type CommandNode } from './tree.ts';

export function fishScript(tree: CommandNode): string {
  const lines = allNodes(tree).flatMap((node) => [
    ...node.children.map((child) => childLine(node, child)),
    ...choiceLines(node),
    ...argumentLines(node),
    ...optionLines(node),
  ]);
  return `# fish completion for piton
function __piton_at
    set -l words (commandline -opc)
    set -l path
    for word in $words[2..-1]
        string match -q -- '-*' $word; or set -a path $word
    end
    test "$path" = "$argv"
end
complete -c piton -f
${lines.join('\n')}
`;
}

const quote = (text: string): string => `'${text.replaceAll('\\', '\\\\').replaceAll("'", "\\'")}'`;
const at = (node: CommandNode): string => quote(`__piton_at ${node.path.join(' ')}`.trim());

function childLine(node: CommandNode, child: CommandNode): string {
  return `complete -c piton -n ${at(node)} -a ${quote(child.path.at(-1) ?? '')} -d ${quote(child.description)}`;
}

function choiceLines(node: CommandNode): string[] {
  return node.choices.map((choice) => `complete -c piton -n ${at(node)} -a ${quote(choice)}`);
}

const asked = (kind: CandidateKind): string => quote(`(piton candidates ${kind} (commandline -ct) 2>/dev/null)`);

/** Newest first, as they are told. */
function argumentLines(node: CommandNode): string[] {
  return node.argument ? [`complete -c piton -n ${at(node)} -k -a ${asked(node.argument)}`] : [];
}

function optionLines(node: CommandNode): string[] {
  return node.options.map(({ flags, description, takesValue, value }) => {
    const names = flags.map((flag) => (flag.startsWith('--') ? `-l ${flag.slice(2)}` : `-s ${flag.slice(1)}`)).join(' ');
    return `complete -c piton -n ${at(node)} ${names}${takesValue ? ' -r' : ''}${value ? ` -k -a ${asked(value)}` : ''} -d ${quote(description)}`;
  });
}
