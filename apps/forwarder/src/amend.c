/* Does the git that called this hook amend? Its hooks are not told; its command line says it. */
#include "forward.h"

#include <stdlib.h>
#include <string.h>

#define MOST_PARENTS 12 /* a hook manager, its shell, and what it starts */
#define MOST_BYTES ((size_t)1 << 16) /* a message may stand in the line */

static int is_prefix(const char *text, size_t length, const char *of) { return length <= strlen(of) && strncmp(text, of, length) == 0; }

/* Options of `git commit` whose value may be the next word. Git takes any beginning of a name that is unique. */
static int takes_next(const char *option) {
  static const char *const names[] = {"author", "cleanup", "date", "file", "fixup", "message", "pathspec-from-file", "reedit-message",
                                      "reuse-message", "squash", "template", "trailer"};
  for (size_t at = 0; at < sizeof names / sizeof *names; at++)
    if (is_prefix(option, strlen(option), names[at])) return 1;
  return 0;
}

static int short_takes_next(const char *letters) {
  for (; *letters; letters++) {
    if (strchr("mFcCt", *letters)) return letters[1] == 0;
    if (strchr("Su", *letters)) return 0; /* the rest is its value */
  }
  return 0;
}

int line_amends(const char *words, size_t length) {
  const char *end = words + length, *word = words;
  const char *name = strrchr(words, '/') ? strrchr(words, '/') + 1 : words;
  int amends = 0, inside = strcmp(name, "git-commit") == 0;
  if (!inside && strcmp(name, "git") != 0) return -1;
  for (word += strlen(word) + 1; word < end; word += strlen(word) + 1) {
    if (!inside) inside = strcmp(word, "commit") == 0;
    else if (strcmp(word, "--") == 0) break;
    else if (strncmp(word, "--", 2) == 0) {
      if (strlen(word) > 3 && is_prefix(word + 2, strlen(word + 2), "amend")) amends = 1;
      else if (strlen(word) > 6 && is_prefix(word + 2, strlen(word + 2), "no-amend")) amends = 0;
      else if (takes_next(word + 2) && word + strlen(word) + 1 < end) word += strlen(word) + 1;
    } else if (word[0] == '-' && short_takes_next(word + 1) && word + strlen(word) + 1 < end) word += strlen(word) + 1;
  }
  return amends; /* another command of git's does not */
}

#ifdef __linux__
#include <stdio.h>
#include <unistd.h>

static pid_t parent_of(pid_t pid) {
  char path[PATH_SIZE];
  struct bytes text = {0};
  pid_t parent = 0;
  path_of(path, "/proc/%ld/stat", (long)pid);
  if (read_small_file(path, &text, 4096) && bytes_add(&text, "", 1)) {
    char *behind = strrchr((char *)text.data, ')'); /* a program's name may hold anything */
    if (behind && strlen(behind) > 4) parent = (pid_t)strtol(behind + 4, NULL, 10);
  }
  bytes_free(&text);
  return parent;
}

int git_amends(void) {
  int amends = -1;
  pid_t pid = getppid();
  for (int level = 0; level < MOST_PARENTS && pid > 1 && amends < 0; level++, pid = parent_of(pid)) {
    char path[PATH_SIZE];
    struct bytes line = {0};
    path_of(path, "/proc/%ld/cmdline", (long)pid);
    read_small_file(path, &line, MOST_BYTES); /* of a longer one its beginning */
    if (line.length && bytes_add(&line, "", 1)) amends = line_amends((char *)line.data, line.length - 1);
    bytes_free(&line);
  }
  return amends;
}
#else
int git_amends(void) { return -1; }
#endif
