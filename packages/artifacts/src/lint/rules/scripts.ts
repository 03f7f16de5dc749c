import { filesRunBy } from '../../shell/programs.ts';
import { beside, bundledPath } from '../run-texts.ts';
import { type Found, type Rule, textIn } from '../world.ts';

/** What the action runs of its own folder has to be there, and executable where no interpreter is named. */
export const scriptsRule: Rule = ({ texts: [action], entry, file, look, lineOf }) => {
  if (look === undefined) return [];
  const found: Found[] = [];
  const told = new Set<string>();
  for (const command of action?.shell?.commands ?? []) {
    for (const { word, direct } of filesRunBy(command)) {
      const path = bundledPath(word.text);
      if (path === undefined || told.has(path)) continue;
      const script = look(path);
      const line = (action?.line ?? 1) + command.line;
      told.add(path);
      if (script === undefined) found.push(missing(file, line, path));
      else if (direct && !script.executable)
        found.push({
          ...{ rule: 'script.not-executable', file, line, what: `${path} is not executable` },
          remedy: `chmod +x "${beside(file, path)}"`,
        });
    }
  }
  const module = textIn(entry, 'module');
  if (module !== undefined && look(module.replace(/^\.\//, '')) === undefined) found.push(missing(file, lineOf('module'), module));
  return found;
};

const missing = (file: string, line: number, path: string): Found => ({
  ...{ rule: 'script.missing', file, line, what: `${path} is not next to the ARTIFACT.md` },
  remedy: `put it there. For a file of the project use "$CLAUDE_PROJECT_DIR"/${path}`,
});
