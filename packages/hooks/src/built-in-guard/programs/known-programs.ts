export const names = (text: string): ReadonlySet<string> => new Set(text.split(/\s+/).filter(Boolean));

/** Programs that change nothing that they are given, whatever the options. */
export const READERS = names(`
  base64 base32 basenc b3sum sha384sum crc32 xxhsum hexyl expand unexpand pr look envsubst numfmt zcat bzcat xzcat zstdcat zless zmore
  lz4cat lsattr getfattr namei pathchk inotifywait view delta colordiff wdiff difft gron fx jless csvlook xsv yamllint hadolint actionlint
  nm ldd objdump readelf size glow mdcat man info ncdu dust scc watchman tput clear env printenv
  cat ls ll dir head tail less more most bat batcat nl wc file stat grep egrep fgrep zgrep rg ag ack diff cmp comm cksum sum md5sum
  sha1sum sha224sum sha256sum sha512sum shasum b2sum md5 hexdump od strings cut tr column fold fmt paste join rev tac jq test
  [ [[ echo printf true false : pwd which type whereis hash readlink realpath basename dirname du df shellcheck sleep date seq wait
  exit return set shift dirs id whoami uname lsof getfacl case esac fi done in break continue pgrep ps cloc tokei eza exa
`);

/** What prints the paths that it was given or finds there, or who bears a name. */
export const PATH_PRINTERS = names('ls echo printf find fd readlink realpath dirname basename pwd rg grep git pgrep pidof which command');

/** What says its words. */
export const SPEAKERS = names('echo printf');

/** They read lines into variables. */
export const LINE_READERS = names('read mapfile readarray');

/** Programs that run another one, which stands behind their own options. */
export const WRAPPERS = names(`
  spawn sudo doas env nohup nice ionice time timeout stdbuf setsid exec command builtin chrt taskset strace ltrace flock caffeinate unbuffer
  unshare setpriv setarch systemd-run prlimit numactl xvfb-run dbus-run-session torsocks proxychains firejail gtimeout toybox nocorrect
  xargs parallel watch busybox chronic then do else if elif while until ! { } function noglob
`);
/** These get their words from what another program prints. */
export const FED_WRAPPERS = names('xargs parallel');

/** They run a word of theirs as a command line. */
export const LINE_RUNNERS = names('trap su runuser script flock watch tmux screen expect');

export const SHELLS = names('sh bash zsh dash ksh mksh ash fish rbash');
export const ASSIGNERS = names('export declare typeset local readonly');

/** Programs that run code from their command line or standard input. */
export const INTERPRETERS =
  /^(?:python[\d.]*|pypy3?|node|nodejs|deno|bun|perl[\d.]*|ruby|php|lua|osascript|tclsh|Rscript|groovy|swift|[gmn]?awk)$/;
/** The options that say that code follows. */
export const CODE_OPTIONS = /^(?:-[a-zA-Z]*[cepErn]|--eval|--print|eval)$/;
export const STREAM_EDITORS = /^[gmn]?awk$|^g?sed$/;

/** They take away what they are given, and all that is in it. */
export const REMOVERS = names('rm mv rmdir unlink shred chmod chown chgrp chattr setfacl trash rimraf srm rsync');

/** They write the files that they are given: where those are links, what the links lead to. */
export const WRITERS = names('cp tee touch truncate mkdir install ln dd');

/** In a directory of ours they write only what they are told to, and that was looked at. */
export const HARMLESS_THERE = names(`
  cp mv ln rm rmdir install rsync scp mkdir touch chmod chown chgrp tee dd sort uniq xxd tree find fd fdfind tar bsdtar zip unzip
  curl wget source gzip truncate shred unlink pushd popd export unset ulimit umask alias unalias jobs fg bg disown kill wait
  history complete shopt getopts let enable help logout times caller compgen mktemp sponge docker podman gh ssh sqlite3 .
`);

/** They end processes. */
export const KILLERS = names('kill pkill killall skill fuser');

/** What git does with a path and changes neither it nor where it points. */
export const GIT_READERS = names(`
  hash-object stash-list bundle difftool notes add annotate archive blame branch cat-file check-attr check-ignore commit count-objects describe diff diff-files diff-index diff-tree
  fetch for-each-ref format-patch grep help log ls-files ls-remote ls-tree merge-base name-rev push range-diff reflog reset rev-list
  rev-parse shortlog show show-branch show-ref status tag var verify-commit version whatchanged
`);
