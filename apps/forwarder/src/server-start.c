/* Becoming the server: the lock is taken here, before Node, and lives as long as that process does. */
#include "forward.h"

#include <fcntl.h>
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#define TAKEN 75
#define FAILED 70
#define WAIT_US 5000000
#define LOOK_US 50000 /* how often we look whether a start has failed */
#define HOUR_MS 3600000

extern char **environ;

static int open_lock(const struct places *places, int flags) {
  char path[PATH_SIZE];
  return path_of(path, "%s/lock", places->environment) ? open(path, O_RDWR | flags, 0600) : -1;
}

static int lock_is_free(const struct places *places) {
  struct flock lock = {.l_type = F_WRLCK, .l_whence = SEEK_SET};
  int fd = open_lock(places, O_CLOEXEC);
  if (fd < 0) return 1;
  int asked = fcntl(fd, F_GETLK, &lock);
  close(fd);
  return asked == 0 && lock.l_type == F_UNLCK;
}

/* The failed starts of a backoff that is still valid, or 0. One from far ahead was written by a clock that was wrong. */
static int backing_off(const struct places *places, long long *failures) {
  char path[PATH_SIZE];
  struct bytes text = {0};
  long long until = 0, now = wall_us() / 1000;
  *failures = 0;
  path_of(path, "%s/backoff", places->environment);
  if (read_small_file(path, &text, 4096) && bytes_add(&text, "", 1)) {
    char *rest;
    until = strtoll((char *)text.data, &rest, 10);
    *failures = strtoll(rest, NULL, 10);
  }
  bytes_free(&text);
  if (until < now - HOUR_MS) *failures = 0;
  return until > now && until < now + HOUR_MS;
}

static void back_off(const struct places *places, long long failures, long long pause_ms, const char *why, const char *what) {
  char path[PATH_SIZE];
  path_of(path, "%s/backoff", places->environment);
  int fd = open(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0600);
  if (fd < 0) return;
  dprintf(fd, "%lld %lld %s%s\n", (long long)(wall_us() / 1000) + pause_ms, failures, why, what);
  close(fd);
}

static void clean_environment(void) {
  static const char *const kept[] = {"HOME", "PATH", "USER", "LOGNAME", "SHELL", "LANG", "LC_ALL", "TZ",
                                     "TMPDIR", "XDG_RUNTIME_DIR", "XDG_CONFIG_HOME", "XDG_STATE_HOME"};
  /* glibc: without these every thread has a heap of its own, and what one burst needed is never given back. */
  static char *const frugal[] = {"MALLOC_ARENA_MAX=2", "MALLOC_TRIM_THRESHOLD_=131072"};
  static char *clean[sizeof kept / sizeof *kept + sizeof frugal / sizeof *frugal + 1];
  char **at = clean;
  for (char **entry = environ; *entry; entry++) {
    for (size_t i = 0; i < sizeof kept / sizeof *kept; i++) {
      size_t length = strlen(kept[i]);
      if (strncmp(*entry, kept[i], length) != 0 || (*entry)[length] != '=' || at == clean + sizeof kept / sizeof *kept) continue;
      *at++ = *entry;
    }
  }
  memcpy(at, frugal, sizeof frugal);
  environ = clean;
}

/* `report` is where the one who asked learns whether the lock was free; without one we stay in the foreground. */
static _Noreturn void serve(const struct places *places, int wait_ms, int report) {
  struct flock lock = {.l_type = F_WRLCK, .l_whence = SEEK_SET};
  char path[PATH_SIZE], node[PATH_SIZE], other[PATH_SIZE], server[PATH_SIZE];
  sigset_t none;
  unsigned char said = 0;
  for (int number = 1; number < NSIG; number++) signal(number, SIG_DFL);
  sigemptyset(&none);
  sigprocmask(SIG_SETMASK, &none, NULL);
  umask(077);
  if (report >= 0) {
    /* Nothing of the agent's may live on in a server: it would wait for the end of a pipe that we hold. */
    stdio_to_null();
    report = dup2(report, 3);
    close_from(4);
  }

  make_environment(places);
  int fd = open_lock(places, O_CREAT); /* not close-on-exec: closing it releases the lock */
  if (fd < 0) said = FAILED;
  for (int64_t until = now_us() + (int64_t)wait_ms * 1000; fd >= 0 && fcntl(fd, F_SETLK, &lock) != 0;) {
    if (now_us() >= until) {
      said = TAKEN;
      break;
    }
    usleep(5000);
  }
  if (report >= 0) {
    write_whole(report, &said, 1);
    close(report);
  }
  if (said) _exit(said);

  path_of(path, "%s/logs", places->home);
  mkdir(path, 0700);
  path_of(path, "%s/logs/server.log", places->home);
  int log = report >= 0 ? open(path, O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0600) : -1;
  if (log >= 0) dup2(log, 2);
  if (chdir(places->home) != 0) _exit(FAILED);
  clean_environment();
  int known = read_node_path(places, node);
  path_of(server, "%s/runtime/current/server.cjs", places->home);
  /* No flag of V8: with one it would compile Node's own modules anew, for every thread. */
  char *argv[] = {"node", "--no-global-search-paths", server, "--home", (char *)places->home, NULL};
  if (known) execv(node, argv);
  if (find_node(node, other)) execv(other, argv);
  back_off(places, 1, 5000, "cannot run Node: ", known ? node : "node");
  _exit(FAILED);
}

void serve_here(const struct places *places) {
  serve(places, 0, -1);
}

int start_server(const struct places *places, int wait_ms) {
  int report[2];
  unsigned char said = FAILED;
  if (!make_pipe(report)) return FAILED;
  pid_t child = fork();
  if (child == 0) {
    setsid();
    if (fork() == 0) serve(places, wait_ms, report[1]);
    _exit(0);
  }
  close(report[1]);
  struct pollfd heard = {report[0], POLLIN, 0};
  if (child > 0) {
    waitpid(child, NULL, 0);
    for (int64_t until = now_us() + ((int64_t)wait_ms + 2000) * 1000; poll(&heard, 1, ms_until(until)) < 0 && errno == EINTR;);
    if (heard.revents && read(report[0], &said, 1) != 1) said = FAILED;
  }
  close(report[0]);
  return said;
}

int may_start_server(const struct places *places) {
  long long failures;
  return !backing_off(places, &failures) && lock_is_free(places);
}

/* Nobody listens: starts a server, once, unless another has, and tries until it answers. */
enum end reach_server(struct call *call, int *fd) {
  const struct places *places = &call->places;
  int64_t began = now_us(), until = began + WAIT_US, look = 0;
  long long failures;
  int started = 0;
  if (until > call->deadline) until = call->deadline;
  for (;;) {
    enum end end = wire_connect(places, call->deadline, fd);
    if (end != ABSENT) return end;
    if (now_us() >= until) return now_us() >= call->deadline ? LATE : ABSENT;
    if (now_us() >= look) {
      if (backing_off(places, &failures)) return ABSENT;
      if (lock_is_free(places)) {
        if (started) { /* it ended before it ever listened: the next event must not pay for that again */
          if (!backing_off(places, &failures)) /* it may have said why since we looked, and knows better */
            back_off(places, failures + 1, failures < 6 ? 1000LL << failures : 60000, "the server ended while starting: ", "see logs/server.log");
          return ABSENT;
        }
        int said = start_server(places, 0);
        if (said == FAILED) return ABSENT; /* no lock, no process: waiting would not help */
        started = said == 0;
      }
      look = now_us() + LOOK_US;
    }
    /* A thousand of us may wait: the longer it takes the less we must disturb whom we wait for. */
    int64_t pause = (now_us() - began) / 5;
    usleep(pause < 2000 ? 2000 : pause > 50000 ? 50000 : (useconds_t)pause);
  }
}
