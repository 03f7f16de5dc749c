const words = (text: string): string[] => text.trim().split(/\s+/);

const BUILTINS = words(`
  . : [ [[ alias bg bind break builtin caller case cd command compgen complete continue coproc declare dirs disown echo enable esac eval exec exit
  export false fc fg for function getopts hash help history if in jobs let local logout mapfile popd printf pushd pwd read readarray readonly
  return select set shift shopt source suspend test time times trap true type typeset ulimit umask unalias unset until wait while`);

/** POSIX utilities, and a few more that practically every system has. */
const UTILITIES = words(`
  awk basename cat chgrp chmod chown cksum cmp comm cp csplit cut date dd df diff dirname du ed env expand expr file find fold fuser getconf
  grep head iconv id join kill link ln locale logger logname ls m4 mkdir mkfifo more mv nice nl nohup od paste patch pathchk pax pr ps
  renice rm rmdir sed sh sleep sort split strings stty tabs tail tee touch tput tr tsort tty uname unexpand uniq unlink wc who xargs
  bash dash egrep fgrep hostname install mktemp printenv readlink realpath seq shasum sha256sum md5sum stat tac timeout whoami yes base64
  tar gzip gunzip zcat which xxd column nproc sync setsid clear`);

const KNOWN: ReadonlySet<string> = new Set([...BUILTINS, ...UTILITIES]);

/** A program that need not be declared: a shell builtin or a standard utility. */
export const isStandardProgram = (program: string): boolean => KNOWN.has(program);
