import { type LintFinding, lintSetting } from '@piton/artifacts';
import { findNodeAtLocation, getNodeValue, type Node, type ParseError, parseTree } from 'jsonc-parser';
import { reasonOf } from '../failure.ts';
import { readRegular } from '../files/regular-file.ts';
import { parseProblem } from '../settings/parse-problem.ts';
import { LINT_CONTEXT } from './lint-context.ts';

/** Lints the hooks in a settings file. */
export function lintSettings(file: string): readonly LintFinding[] {
  const error = (line: number, what: string): LintFinding[] => [{ severity: 'error', rule: 'unreadable', file, line, what }];
  let text: string;
  try {
    text = readRegular(file).toString('utf8');
  } catch (problem) {
    return error(1, `cannot read it: ${reasonOf(problem)}`);
  }
  const errors: ParseError[] = [];
  let root: Node | undefined;
  try {
    root = parseTree(text, errors, { allowTrailingComma: true });
  } catch {
    return error(1, 'nested too deeply');
  }
  const [first] = errors;
  if (text.trim() === '') return [];
  const lineAt = (offset: number): number => text.slice(0, offset).split('\n').length;
  if (first !== undefined) return error(lineAt(first.offset), parseProblem(text, first));
  const hooks = root === undefined ? undefined : findNodeAtLocation(root, ['hooks']);
  if (hooks === undefined) return [];
  if (hooks.type !== 'array') return error(lineAt(hooks.offset), '"hooks" is not a list');
  return (hooks.children ?? []).flatMap((node) => lintNode(file, node, lineAt));
}

function lintNode(file: string, node: Node, lineAt: (offset: number) => number): readonly LintFinding[] {
  if (node.type !== 'object')
    return [{ severity: 'error', rule: 'schema', file, line: lineAt(node.offset), what: 'a hook must be an object' }];
  return lintSetting({
    file,
    entry: getNodeValue(node),
    lineOf: (field) => lineAt((findNodeAtLocation(node, [field]) ?? node).offset),
    context: LINT_CONTEXT,
  });
}
