// The declarations of a package in one file: what its entry exports, and all that this refers to.
import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { parseSync } from 'oxc-parser';
import { filesBelow, ROOT } from '../sources.mjs';
import { TOOLS } from '../step.mjs';

/** @returns the text for the entry, such as `hooks/src/index.ts` below packages/ */
export function declarationsOf(entry) {
  const made = mkdtempSync(join(tmpdir(), 'piton-types-'));
  try {
    const config = join(made, 'tsconfig.json');
    const compilerOptions = {
      noEmit: false,
      declaration: true,
      emitDeclarationOnly: true,
      stripInternal: true,
      rootDir: join(ROOT, 'packages'),
      outDir: join(made, 'out'),
      // Resolved as a source, not as a dependency: nothing is emitted for dependencies.
      paths: { '@piton/contracts': [join(ROOT, 'packages', 'contracts', 'src', 'index.ts')] },
      typeRoots: [join(ROOT, 'node_modules', '@types')],
    };
    const files = [join(ROOT, 'packages', entry)];
    writeFileSync(config, JSON.stringify({ extends: join(ROOT, 'tsconfig.json'), compilerOptions, files, include: [] }));
    execFileSync(process.execPath, [join(ROOT, TOOLS.tsc), '-p', config], { stdio: ['ignore', 'inherit', 'inherit'] });
    return rollUp(join(made, 'out'), join(made, 'out', entry.replace(/\.ts$/, '.d.ts')));
  } finally {
    rmSync(made, { recursive: true, force: true });
  }
}

/** One file with the declarations that the entry refers to, by name: `Decision` of the contracts is included, the frame protocol is not. */
function rollUp(directory, entry) {
  const declared = new Map();
  for (const file of filesBelow(directory)) {
    const text = readFileSync(file, 'utf8');
    const { program, comments } = parseSync(file, text);
    for (const statement of program.body) {
      const node = statement.declaration ?? statement;
      const name = node.id?.name ?? node.declarations?.[0].id.name;
      if (name === undefined) continue;
      const comment = comments.findLast(({ end }) => end <= statement.start && text.slice(end, statement.start).trim() === '');
      const known = declared.get(name) ?? { file, parts: [] };
      known.parts.push(`${comment ? `${text.slice(comment.start, comment.end)}\n` : ''}${text.slice(node.start, statement.end)}`);
      // The same name in two files is an error only if it is needed.
      declared.set(name, known.file === file ? known : { file: undefined, parts: [] });
    }
  }
  const exported = exportsOf(entry);
  const chosen = new Set();
  const next = [...exported];
  for (let name = next.pop(); name; name = next.pop()) {
    if (chosen.has(name) || !declared.has(name)) continue;
    const { file, parts } = declared.get(name);
    if (file === undefined) throw new Error(`two files declare ${name}: rename one of them`);
    chosen.add(name);
    // Types and constants start with a capital here. Names in comments need no declaration.
    const bare = withoutComments(parts.join('\n'));
    next.push(...(bare.match(/\b[A-Z]\w*\b/g) ?? []));
  }
  const missing = exported.filter((name) => !chosen.has(name));
  if (missing.length > 0) throw new Error(`no declaration of ${missing.join(', ')}`);
  const isType = (name) =>
    declared.get(name).parts.every((part) => /^(?:interface|type) /m.test(withoutComments(part).trimStart().slice(0, 10)));
  const names = exported.map((name) => (isType(name) ? `type ${name}` : name)).join(', ');
  return `${[...chosen]
    .sort()
    .flatMap((name) => declared.get(name).parts)
    .join('\n')
    .replace(/^ +/gm, '')}\nexport { ${names} };\n`;
}

const withoutComments = (text) => text.replace(/\/\*.*?\*\//gs, '');

/** The names that it exports. `export *` is followed. */
function exportsOf(file) {
  const { module } = parseSync(file, readFileSync(file, 'utf8'));
  return module.staticExports
    .flatMap(({ entries }) => entries)
    .flatMap(({ exportName, importName, moduleRequest }) =>
      importName.kind === 'AllButDefault'
        ? exportsOf(join(dirname(file), moduleRequest.value.replace(/\.ts$/, '.d.ts')))
        : [exportName.name],
    );
}
