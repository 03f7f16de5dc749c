const BY_ENDING: Readonly<Record<string, string>> = {
  ...{ ts: 'typescript', tsx: 'typescript', mts: 'typescript', js: 'javascript', mjs: 'javascript', cjs: 'javascript', jsx: 'javascript' },
  ...{ json: 'json', py: 'python', sh: 'bash', bash: 'bash', zsh: 'bash', css: 'css', html: 'xml', xml: 'xml', svg: 'xml', md: 'markdown' },
  ...{ c: 'cpp', h: 'cpp', cc: 'cpp', cpp: 'cpp', go: 'go', rs: 'rust', rb: 'ruby', java: 'java', sql: 'sql', yml: 'yaml', yaml: 'yaml' },
  ...{ toml: 'ini', ini: 'ini', diff: 'diff', patch: 'diff' },
};

export function languageOfPath(path: string): string | undefined {
  const ending = /\.(\w+)$/.exec(path)?.[1]?.toLowerCase() ?? '';
  return Object.hasOwn(BY_ENDING, ending) ? BY_ENDING[ending] : undefined;
}

const MAX_PARSED = 200_000;

/** JSON with line breaks; anything else, also half a document, as it is. */
export function prettyJson(text: string): string {
  if (text.length > MAX_PARSED || !/^\s*[[{]/.test(text)) return text;
  try {
    return JSON.stringify(JSON.parse(text), null, 2);
  } catch {
    return text;
  }
}
