import { AGENTS } from '@piton/agents';
import type { InstallTarget } from '@piton/contracts';
import { describe, expect, it } from 'vitest';

// A person may write into any file that we write. Taking Piton out of it takes none of that: it stays in the file, or the file is known as
// edited, and whoever removes it keeps it.
const TARGET: InstallTarget = {
  ...{ scope: 'user', forwarder: '/h/.local/state/piton/runtime/current/piton-forward' },
  ...{ forwarderBelowHome: '.local/state/piton/runtime/current/piton-forward', wanted: [] },
};
const COMMENTS = ['// MINE', '/* MINE */', '# MINE'];

const files = AGENTS.flatMap((agent) =>
  (['user', 'project'] as const).flatMap((scope) => {
    if (scope === 'project' && agent.installer.userOnly !== undefined) return [];
    return agent.installer
      .configFiles(scope, {})
      .map((file) => ({ name: `${agent.id} ${file.label}`, agent, file, target: { ...TARGET, scope } }));
  }),
);

describe.each(files)('$name', ({ agent: { installer }, file, target }) => {
  const written = installer.install(null, target, file);
  const text = written.ok ? (written.edit.text ?? '') : '';
  const lines = text.split('\n');

  it('is ours as we wrote it, and goes', () => {
    expect(text).not.toBe('');
    expect(installer.isEdited?.(text, target) ?? false).toBe(false);
    const removed = installer.uninstall(text, target, file);
    expect(removed.ok && (removed.edit.text === null || !removed.edit.text.includes('piton-forward'))).toBe(true);
  });

  it('loses nothing that a person wrote, wherever it stands', () => {
    const isWhole = installer.isEdited !== undefined;
    let accepted = 0;
    for (const comment of COMMENTS)
      for (let at = 0; at <= lines.length; at += 1) {
        const [before, behind] = [lines.slice(0, at), lines.slice(at)];
        const edited = [...before, comment, ...behind].join('\n');
        const removed = installer.uninstall(edited, target, file);
        if (
          !removed.ok ||
          installer.installed(edited, target, file).length === 0 ||
          isInsideOfOurs(file.path, isWhole, before.join(''), behind.join(''))
        )
          continue;
        accepted += 1;
        const isKept = removed.edit.text?.includes('MINE') || installer.isEdited?.(edited, target) === true;
        expect(isKept, `${comment} before line ${at + 1}`).toBe(true);
      }
    expect(accepted).toBeGreaterThan(1);
  });
});

/** Inside of an entry of ours, which goes as a whole: what stands there is about that entry. */
function isInsideOfOurs(path: string, isWhole: boolean, before: string, behind: string): boolean {
  if (isWhole || path.endsWith('.sh')) return false;
  if (path.endsWith('.toml')) return before !== '' && behind !== '';
  return before.split(/[[{]/).length > before.split(/[\]}]/).length;
}
