// All that the page shows was written by agents, tools and web pages. It becomes text nodes; no string ever becomes HTML or code.
import { Visitor } from 'oxc-parser';

/** Whatever makes nodes or scripts of a string. */
const MARKUP = new Set([
  ...['innerHTML', 'outerHTML', 'insertAdjacentHTML', 'dangerouslySetInnerHTML', 'srcdoc', 'setHTMLUnsafe', 'parseHTMLUnsafe'],
  ...['createContextualFragment', 'DOMParser', 'Function', 'eval', 'write', 'writeln'],
]);

/** `write` of a clipboard or a stream is harmless; that of a document is not. */
const OF_DOCUMENT = new Set(['write', 'writeln']);

export function textAsMarkup(program) {
  const found = [];
  const report = (node, name) => found.push({ at: node.start, problem: `makes markup or code of a text: ${name}` });
  const isMarkup = (name) => MARKUP.has(name) && !OF_DOCUMENT.has(name);
  new Visitor({
    Identifier: (node) => isMarkup(node.name) && report(node, node.name),
    MemberExpression: ({ object, property }) => {
      if (object.name === 'document' && OF_DOCUMENT.has(property.name)) report(property, property.name);
    },
    JSXIdentifier: (node) => isMarkup(node.name) && report(node, node.name),
    Literal: (node) => {
      if (typeof node.value === 'string' && (isMarkup(node.value) || /^\s*javascript:/i.test(node.value))) report(node, node.value);
    },
  }).visit(program);
  return found;
}
