import { mkdirSync, writeFileSync } from 'node:fs';
import type { Scratch } from './scratch.ts';

/** As much of Git LFS as a commit and a checkout use: `clean` and `smudge`, with its store. */
const PROGRAM = `#!/bin/sh
given=$(mktemp)
cat > "$given"
place() { echo "$PWD/.git/lfs/objects/$(echo "$1" | cut -c1-2)/$(echo "$1" | cut -c3-4)"; }
case $1 in
clean)
  if [ ! -s "$given" ] || head -c 30 "$given" | grep -q '^version https://git-lfs'; then cat "$given"; rm "$given"; exit; fi
  sha=$(sha256sum < "$given" | cut -c1-64)
  printf 'version https://git-lfs.github.com/spec/v1\\noid sha256:%s\\nsize %s\\n' "$sha" "$(wc -c < "$given" | tr -d ' ')"
  mkdir -p "$(place "$sha")" && mv "$given" "$(place "$sha")/$sha" ;;
smudge)
  sha=$(sed -n 's/^oid sha256://p' "$given")
  if [ -n "$sha" ] && [ -f "$(place "$sha")/$sha" ]; then cat "$(place "$sha")/$sha"; else cat "$given"; fi
  rm "$given" ;;
esac
`;

/** Sets it up as `git lfs install` does, with a program of ours in the place of the real one. */
export function installLfs(user: Scratch): void {
  mkdirSync(`${user.home}/bin`, { recursive: true });
  writeFileSync(`${user.home}/bin/git-lfs`, PROGRAM, { mode: 0o755 });
  user.git('config', 'filter.lfs.clean', 'git-lfs clean -- %f');
  user.git('config', 'filter.lfs.smudge', 'git-lfs smudge -- %f');
}

/** The user's git, with that program on its path. */
export function gitWithLfs(user: Scratch, ...args: string[]): string {
  const words = args.map((arg) => `'${arg.replaceAll("'", "'\\''")}'`).join(' ');
  return user.shell(`PATH="$HOME/bin:$PATH" git ${words}`);
}
