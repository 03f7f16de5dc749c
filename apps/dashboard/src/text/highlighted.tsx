import bash from 'highlight.js/lib/languages/bash';
import cpp from 'highlight.js/lib/languages/cpp';
import css from 'highlight.js/lib/languages/css';
import diff from 'highlight.js/lib/languages/diff';
import go from 'highlight.js/lib/languages/go';
import ini from 'highlight.js/lib/languages/ini';
import java from 'highlight.js/lib/languages/java';
import javascript from 'highlight.js/lib/languages/javascript';
import json from 'highlight.js/lib/languages/json';
import markdown from 'highlight.js/lib/languages/markdown';
import python from 'highlight.js/lib/languages/python';
import ruby from 'highlight.js/lib/languages/ruby';
import rust from 'highlight.js/lib/languages/rust';
import sql from 'highlight.js/lib/languages/sql';
import typescript from 'highlight.js/lib/languages/typescript';
import xml from 'highlight.js/lib/languages/xml';
import yaml from 'highlight.js/lib/languages/yaml';
import { createLowlight } from 'lowlight';
import type { ComponentChildren } from 'preact';
import { useMemo } from 'preact/hooks';

const languages = { bash, cpp, css, diff, go, ini, java, javascript, json, markdown, python, ruby, rust, sql, typescript, xml, yaml };
const lowlight = createLowlight(languages);
lowlight.registerAlias({
  bash: ['sh', 'shell', 'zsh', 'console'],
  ini: ['toml'],
  xml: ['html', 'svg'],
  typescript: ['tsx'],
  cpp: ['c', 'h'],
});

/** A tool that printed a megabyte must not stop the page. */
const MAX_HIGHLIGHTED = 60_000;

type Tree = ReturnType<typeof lowlight.highlight>;
type Child = Tree['children'][number];

function nodesOf(children: readonly Child[]): ComponentChildren {
  return children.map((child, at) => {
    if (child.type === 'text') return child.value;
    if (child.type !== 'element') return null;
    const names = child.properties['className'];
    return (
      <span key={at} class={Array.isArray(names) ? names.join(' ') : ''}>
        {nodesOf(child.children as readonly Child[])}
      </span>
    );
  });
}

/** Text of a program, coloured as nodes; as it is where the language is not known. */
export function Highlighted({ text, language }: { readonly text: string; readonly language?: string | undefined }) {
  const known = language !== undefined && text.length <= MAX_HIGHLIGHTED && lowlight.registered(language);
  const shown = useMemo(() => (known ? nodesOf(lowlight.highlight(language, text).children) : text), [text, language, known]);
  return (
    <pre class="highlighted">
      <code>{shown}</code>
    </pre>
  );
}
