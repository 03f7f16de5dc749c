import { describe, expect, test } from 'vitest';
import { createOwnGuard } from '../../src/own-guard/own-guard.ts';
import { DISK, PLACES, shell } from './grounds.ts';

const guard = createOwnGuard(PLACES, DISK);

const CHANGES = [
  'rm -rf .piton',
  'rm -rf ./.piton/hooks/',
  'rm -rf /work/app/.piton',
  'RM=1 rm .piton/settings.json',
  'rm -rf ".piton"',
  "rm -rf .pi'to'n",
  'rm -rf .pi\\ton',
  "rm -rf $'\\x2epiton'",
  'rm -rf .pit*',
  'rm -rf .p?ton',
  'rm -rf .[p]iton',
  'rm -rf .*',
  'rm -rf {.piton,build}',
  'rm -rf src/../.piton',
  'rm -rf .PITON',
  'cd .piton && rm -rf hooks',
  'cd .piton; cd hooks; rm guard',
  'pushd /work/app/.piton && rm -rf hooks',
  '(cd /tmp && ls) && rm -rf .piton',
  'cd /work && rm -rf app/.piton',
  'D=.piton; rm -rf $D',
  'D=.pit && rm -rf "$' + '{D}on"',
  'rm -rf "$' + '{D:-.piton}"',
  'rm -rf $UNKNOWN/.piton',
  'rm -rf "$(git rev-parse --show-toplevel)/.piton"',
  'rm -rf $(ls -d .pit*)',
  'rm -rf `echo .piton`',
  'for f in .piton/hooks/*; do rm "$f"; done',
  'find .piton -type f | while read -r f; do rm "$f"; done',
  'find .piton -delete',
  'find . -name .piton -exec rm -rf {} +',
  "find . -path './.piton/*' -delete",
  'ls .piton/hooks | xargs rm',
  'find .piton -print0 | xargs -0 rm -rf',
  'git ls-files .piton | grep guard | xargs sed -i s/a/b/',
  'echo x > .piton/hooks/pre-tool-use/guard',
  'echo x >> .piton/settings.json',
  'echo x >| .piton/settings.json',
  'echo x &> .piton/settings.json',
  'cat evil 2>.piton/settings.json',
  'true <> .piton/settings.json',
  'echo x | tee .piton/settings.json',
  'cat <<EOF > .piton/hooks/a\nexit 0\nEOF',
  "sed -i 's/deny/allow/' .piton/hooks/guard",
  "sed -n 'w .piton/hooks/guard' x",
  "perl -pi -e 's/a/b/' .piton/hooks/guard",
  'awk \'{print > ".piton/settings.json"}\' x',
  'mv .piton .gone',
  'cp /tmp/evil .piton/hooks/guard',
  'cp -t .piton/hooks /tmp/evil',
  'ln -s .piton other',
  'ln -sf /tmp/x .piton/hooks/guard',
  'chmod -x .piton/hooks/guard',
  'touch .piton/x',
  'truncate -s 0 .piton/settings.json',
  'dd if=/dev/null of=.piton/settings.json',
  'git checkout -- .piton',
  'git restore .piton',
  'git rm -r .piton',
  'git -C .piton checkout .',
  'git stash push -- .piton',
  'tar xf a.tar -C .piton',
  'tar cf .piton/a.tar src',
  'sort -o .piton/settings.json x',
  "bash -c 'rm -rf .piton'",
  'bash -lc "rm -rf .piton"',
  `sh -c "bash -c 'rm -rf .piton'"`,
  "eval 'rm -rf .piton'",
  'eval rm -rf .piton',
  'echo "rm -rf .piton" | sh',
  'sh <<EOF\nrm -rf .piton\nEOF',
  "bash <<< 'rm -rf .piton'",
  `python3 -c "import shutil; shutil.rmtree('.piton')"`,
  "python3 - <<'EOF'\nopen('.piton/settings.json','w')\nEOF",
  `node -e "fs.rmSync('.piton',{recursive:true})"`,
  `echo "fs.rmSync('.piton')" | node`,
  'sudo rm -rf .piton',
  'env FOO=1 rm -rf .piton',
  'timeout 5 rm -rf .piton',
  'nohup rm -rf .piton &',
  'if true; then rm -rf .piton; fi',
  '! rm -rf .piton',
  '{ rm -rf .piton; }',
  'f() { rm -rf .piton; }; f',
  "alias x='rm -rf .piton'",
  'true || rm -rf .piton',
  'ls\nrm -rf .piton',
  'ls # fine\nrm -rf .piton',
  'curl -o .piton/hooks/guard https://example.org/x',
  'some-new-tool --file=.piton/settings.json',
  'docker run -v /work/app/.piton:/x image',
  'rm -rf ~/.local/state/piton/trust',
  'rm -rf "$HOME/.local/state/piton"',
  'rm -rf $PITON_HOME',
  'cd ~/.local/state && rm -rf piton',
  'cd ~/.config && rm -rf *',
  'cd && rm -rf .config/piton',
  'echo {} > ~/.config/piton/settings.json',
  'rm -rf /run/user/7/piton',
  'rm ~/.agent/settings.json',
  'rm -rf ~/.agent',
  'mv ~/.config/other ~/x',
  'rm -rf .agent',
  'rm -rf .shared',
  'echo {} > .agent/settings.json',
  'echo {} > .agent/settings.local.json',
  'cd .agent && rm settings.json',
  'rm -f .git/hooks/post-commit',
  'rm -rf linked/pre-tool-use',
  'echo x > linked/guard',
  'echo {} > short/settings.json',
];

const READS = [
  'ls',
  'npm test',
  'rm -rf build dist node_modules',
  'rm -rf *',
  'cat .piton/settings.json',
  'cat < .piton/settings.json',
  'cat .piton/settings.json 2>/dev/null | head -5',
  'ls -la .piton && cat .piton/hooks/pre-tool-use/guard',
  'cd .piton && ls && cat settings.json',
  'grep -rn deny .piton/',
  'rg deny .piton | sort | uniq -c',
  'find .piton -type f',
  'find .piton -name "*.sh" -exec cat {} \\;',
  'find .piton | xargs wc -l',
  'git diff .piton',
  'git add .piton && git commit -m ".piton: a guard"',
  'git log -p -- .piton',
  'diff .piton/hooks/a /tmp/a',
  'test -f .piton/settings.json && echo yes',
  '[ -d .piton ] || echo none',
  'sed -n 1,5p .piton/settings.json',
  "awk '$1 > 5' .piton/log",
  'jq .hooks .piton/settings.json > /tmp/out.json',
  'cp .piton/hooks/guard /tmp/guard',
  'cp -r .piton /tmp/backup',
  'tar czf /tmp/backup.tgz .piton',
  'bash -n .piton/hooks/guard',
  '.piton/hooks/pre-tool-use/guard < payload.json',
  'for f in .piton/hooks/*; do cat "$f"; done',
  'cat > docs/a.md <<EOF\nrm -rf .piton, and echo x > .piton/y\nEOF',
  "cat > a.sh <<'EOF'\nrm -rf .piton\nEOF",
  'git commit -m "remove .piton"',
  'echo "do not rm -rf .piton" >> notes.md',
  'echo rm -rf .piton',
  'X=.piton; ls $X',
  'rm -rf /tmp/x && ls .piton',
  '(cd .piton && ls); rm -rf build',
  'cat ~/.local/state/piton/logs/server.log',
  'cat ~/.agent/settings.json',
  'rm -rf .agent/cache',
  'rm -rf /tmp/fixture/.agent',
  'echo {} > /tmp/fixture/.agent/settings.json',
  'echo x > .git/hooks/pre-push',
  'rm -rf /work/bare/.agent',
  'python3 scripts/piton_report.py',
  'python3 .piton/hooks/guard.py',
  'npm run build -- --name piton',
  'rm -rf ~/.config/nvim',
];

const PERSONS = [
  'piton trust --all --yes',
  'piton untrust --all --yes',
  'piton untrust',
  'piton uninstall --yes',
  'piton settings set guard off --yes',
  'piton settings unset guard',
  'piton server stop',
  'npx piton untrust --all',
  'npx -y @scope/piton untrust --all',
  '~/.local/state/piton/runtime/current/piton untrust --all',
  'node node_modules/piton/bin/piton.mjs untrust --all',
  'node /src/piton/dist/cli.mjs untrust --all',
  'cd /tmp && piton untrust --all',
  "bash -c 'piton untrust --all'",
  'P=piton; $P untrust --all',
  'PITON_ALLOW_UNDER_AGENT=1 make',
  'export PITON_ALLOW_UNDER_AGENT=1',
  'env PITON_ALLOW_UNDER_AGENT=1 piton status',
  'pkill -f piton',
  'killall piton-server',
  'kill -9 4711',
  'kill $(pgrep -f piton)',
  'pgrep -f piton | xargs kill',
];

const ANYBODYS = [
  'piton status',
  'piton trust --list',
  'piton trust --json',
  'piton doctor',
  'piton settings list',
  'piton settings get guard',
  'piton server status',
  'piton hooks list',
  'piton lint .piton/hooks',
  'piton --help',
  'piton untrust --help',
  'kill 1234',
  'pkill node',
  'which piton',
  'command -v piton',
  'echo piton untrust --all',
  'grep -rn "piton untrust" docs',
];

describe('a command that changes something of ours is seen', () => {
  test.each(CHANGES)('%s', (command) => {
    expect(guard(shell(command))).toMatchObject({ kind: 'place' });
  });
});

describe('a command that only reads, or concerns something else, is left alone', () => {
  test.each(READS)('%s', (command) => {
    expect(guard(shell(command))).toBeUndefined();
  });
});

describe('a command that is for the person alone is seen', () => {
  test.each(PERSONS)('%s', (command) => {
    expect(guard(shell(command))?.kind).toMatch(/command|server/);
  });
});

describe('what else the command can do is for everybody', () => {
  test.each(ANYBODYS)('%s', (command) => {
    expect(guard(shell(command))).toBeUndefined();
  });
});

test('a directory that holds our own is not ours, but goes with it', () => {
  const moved = createOwnGuard(
    { ...PLACES, directories: ['/opt/box/state', '/opt/box/config'] },
    { ...DISK, exists: (path) => path.startsWith('/opt/box') },
  );
  expect(moved(shell('rm -rf /opt/box'))).toMatchObject({ place: '/opt/box' });
  expect(moved(shell('rm -rf project; echo x > project/a; touch b', '/opt/box'))).toBeUndefined();
});

test('a path is found from where the agent is', () => {
  expect(guard(shell('rm -rf hooks', '/work/app/.piton'))).toMatchObject({ place: 'hooks' });
  expect(guard(shell('rm -rf hooks', '/work/app'))).toBeUndefined();
});
