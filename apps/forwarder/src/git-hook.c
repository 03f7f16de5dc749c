/* A hook of git's: a link of its name to this program, or a line in a script that names it. Git waits, and a person behind it: whatever
   happens the answer is 0, and what is missed here is found again by `piton checkpoints repair`. */
#include "forward.h"

#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#define NOTE_LIMIT ((size_t)16 << 10)
#define WAIT_US 4750000
#define START_US 2000000

enum trait { MARKS = 1, FOLLOWS_COMMIT = 2, HAS_INPUT = 4, LATER_TOO = 8 };
static const struct {
  const char *name;
  int traits;
} hooks[] = {{"prepare-commit-msg", MARKS}, {"commit-msg", MARKS}, {"post-commit", FOLLOWS_COMMIT},
             {"post-rewrite", HAS_INPUT}, {"pre-push", HAS_INPUT | LATER_TOO}};

/* Others move a hook aside as `post-commit.old` or `post-commit.legacy`, and go on calling it. */
const char *git_hook_name(const char *argv0) {
  const char *slash = strrchr(argv0, '/'), *name = slash ? slash + 1 : argv0;
  for (size_t at = 0; at < sizeof hooks / sizeof *hooks; at++) {
    size_t length = strlen(hooks[at].name);
    if (strncmp(name, hooks[at].name, length) == 0 && (name[length] == 0 || name[length] == '.')) return hooks[at].name;
  }
  return NULL;
}

static int traits_of(const char *hook) {
  for (size_t at = 0; at < sizeof hooks / sizeof *hooks; at++)
    if (strcmp(hook, hooks[at].name) == 0) return hooks[at].traits;
  return 0;
}

/* `<when and how large> <path>`, or `- <path>` where there is no such file: as the server saw it when it wrote the note. */
static int is_as_noted(const char *line) {
  char now[96];
  const char *path = strchr(line, ' ');
  struct stat file;
  if (!path) return 0;
  if (stat(path + 1, &file) != 0) strcpy(now, "-");
  else {
#ifdef __APPLE__ /* untested */
    struct timespec time = file.st_mtimespec;
#else
    struct timespec time = file.st_mtim;
#endif
    snprintf(now, sizeof now, "%lld.%09ld.%lld.%llu", (long long)time.tv_sec, (long)time.tv_nsec, (long long)file.st_size, (unsigned long long)file.st_ino);
  }
  return strlen(now) == (size_t)(path - line) && strncmp(now, line, strlen(now)) == 0;
}

/* The server leaves a note where no work of an agent waits for a commit, with the settings that this depends on. */
static int is_quiet(const struct call *call) {
  char path[PATH_SIZE], hash[17];
  struct bytes note = {0};
  int quiet = 0;
  hash_text(hash, call->cwd);
  if (path_of(path, "%s/quiet/%s", call->places.home, hash) && read_small_file(path, &note, NOTE_LIMIT) && bytes_add(&note, "", 1)) {
    char *line = (char *)note.data, *end = strchr(line, '\n');
    /* Two directories may have one hash. */
    quiet = end && (size_t)(end - line) == strlen(call->cwd) && strncmp(line, call->cwd, (size_t)(end - line)) == 0;
    for (line = end ? end + 1 : line; quiet && *line; line = end + 1) {
      end = strchr(line, '\n');
      if (end) *end = 0;
      quiet = end && is_as_noted(line);
    }
  }
  bytes_free(&note);
  return quiet;
}

/* Nobody waits for this server: the next hook, or the next event of an agent, finds it. */
static void start_behind(const struct places *places) {
  if (may_start_server(places)) start_server(places, 0);
}

void git_hook(struct call *call, char **registration) {
  const char *hook = registration[5] ? registration[5] : "";
  int traits = traits_of(hook), quiet = 0;
  call->registration = registration;
  call->deadline = call->began + WAIT_US;
  if (!places_find(&call->places, registration[-1]) || !home_is_ours(&call->places)) return;
  find_cwd(call);
  if (traits & (MARKS | FOLLOWS_COMMIT)) quiet = is_quiet(call);
  if (quiet && (traits & MARKS)) {
    /* An amend takes the links of the commit that it replaces along, also where nothing is new. */
    if (strcmp(hook, "commit-msg") == 0 || git_amends() == 0) return;
    quiet = 0;
  }
  call->reached = wire_connect(&call->places, call->deadline, &call->fd);
  /* An agent's work may wait for this commit, and its message cannot be changed later: worth a server's start. */
  if (call->reached == ABSENT && !quiet && (traits & MARKS)) {
    call->deadline = now_us() + START_US;
    call->reached = reach_server(call, &call->fd);
  }
  if ((traits & HAS_INPUT) && !isatty(0)) read_payload(0, call->deadline, &call->payload);
  else bytes_borrow(&call->payload.kept);
  bytes_settle(&call->payload.kept);
  if (!frame_build(call)) return;
  struct iovec parts[] = {{call->head.data, call->head.length}, {call->payload.kept.data, call->payload.kept.length}};
  if (call->reached == ANSWERED) {
    /* The commit may carry links, out of a cherry-pick; nothing is made of it that somebody would have to be told. */
    if (quiet && send_only(call, call->fd, parts, 2)) return;
    if (!quiet) converse(call, call->fd, parts, 2);
  } else if (call->reached == ABSENT && !quiet) start_behind(&call->places);
  if (!call->acked && (traits & LATER_TOO)) journal_write(call);
}
