import { filesRunBy } from '../../shell/programs.ts';
import { type Found, type Rule, textIn } from '../context.ts';
import { bundledPath, siblingPath } from '../run-texts.ts';

/** Files of its own folder that the action runs must exist, and be executable if no interpreter is named. */
export const scriptsRule: Rule = ({ texts: [action], entry, file, findFile, lineOf }) => {
  if (findFile === undefined) return [];
  const found: Found[] = [];
  const reported = new Set<string>();
  for (const command of action?.shell?.commands ?? []) {
    for (const { word, direct } of filesRunBy(command)) {
      const path = bundledPath(word.text);
      if (path === undefined || reported.has(path)) continue;
      const script = findFile(path);
      const line = (action?.line ?? 1) + command.line;
      reported.add(path);
      if (script === undefined) found.push(missing(file, line, path));
      else if (direct && !script.executable)
        found.push({
          ...{ rule: 'script.not-executable', file, line, what: `${path} is not executable` },
          remedy: `chmod +x "${siblingPath(file, path)}"`,
        });
    }
  }
  const module = textIn(entry, 'module');
  if (module !== undefined && findFile(module.replace(/^\.\//, '')) === undefined) found.push(missing(file, lineOf('module'), module));
  return found;
};

const missing = (file: string, line: number, path: string): Found => ({
  ...{ rule: 'script.missing', file, line, what: `${path} is not next to the ARTIFACT.md` },
  remedy: `put it there. For a file of the project use "$CLAUDE_PROJECT_DIR"/${path}`,
});
