import type { ConfigFile, Installer, InstallTarget, NativeEvent, Registration } from '@piton/contracts';
import { guardedForm } from '../shared/command-line.ts';
import { programFile } from '../shared/program-file.ts';
import { REGISTERED } from './events.ts';

/**
 * Cline runs every file that is called after an event, whatever its ending. People write them without one, as its
 * documentation does: ours stands beside theirs and both run.
 */
const FILE = /([^\\/]+)\.sh$/;

function folderOf(scope: 'user' | 'project', env: Readonly<Record<string, string | undefined>>): { path: string; label: string } {
  if (scope === 'project') return { path: '.cline/hooks', label: '.cline/hooks' };
  const moved = env.CLINE_DIR?.trim().replace(/[\\/]+$/, '');
  return moved ? { path: `${moved}/hooks`, label: `${moved}/hooks` } : { path: '.cline/hooks', label: '~/.cline/hooks' };
}

function wantedIn(file: ConfigFile, { scope, ...target }: InstallTarget) {
  const event: NativeEvent | undefined = REGISTERED.find(({ name }) => name === FILE.exec(file.path)?.[1]);
  if (event === undefined) throw new Error(`no event is called like ${file.path}`);
  const registration: Registration = { agent: 'cline', nativeEvent: event.name, scope, timeoutMs: event.timeoutMs, variables: [] };
  return { registration, command: guardedForm({ scope, ...target }, registration) };
}

export const installer: Installer = {
  configFiles(scope, env) {
    const folder = folderOf(scope, env);
    const [first, ...others] = REGISTERED.map(
      ({ name }): ConfigFile => ({ path: `${folder.path}/${name}.sh`, label: `${folder.label}/${name}.sh`, executable: true }),
    );
    if (first === undefined) throw new Error('no event is registered');
    return [first, ...others];
  },
  install: (text, target, file) => programFile.install(text, wantedIn(file, target)),
  uninstall: (text) => programFile.uninstall(text, 'cline'),
  installed: (text) => programFile.installed(text, 'cline'),
};
