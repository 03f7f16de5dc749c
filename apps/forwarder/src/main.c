/* The command line, and the course of one event. */
#include "forward.h"

#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define ATTACH_US (600 * (int64_t)1000000)
#define UNTAKEN_LIMIT 3

static const char usage[] =
    "piton-forward <agent> <native event> <scope> <timeout ms> <VARIABLE,VARIABLE|-> [argument ...]\n"
    "piton-forward --attach <stamp> | --serve [wait ms | here] | --where | --version\n";

/* What a line in a script would name: see contracts/src/wire/registration.ts. */
static const char *const git_registration[] = {"git", "hook", "project", "5000", "GIT_INDEX_FILE,GIT_AUTHOR_DATE"};
#define GIT_WORDS (sizeof git_registration / sizeof *git_registration)

/* Whether anybody could answer a question. Closed ones are filled, or our socket would get a number that means stdout. */
static int hold_stdio(void) {
  int terminal = 0;
  for (int fd = 0; fd < 3; fd++) {
    if (isatty(fd)) terminal |= 1 << fd;
    else if (errno == EBADF) open("/dev/null", O_RDWR);
  }
  return terminal;
}

static int tty_opens(void) {
  int fd = open("/dev/tty", O_RDONLY | O_NOCTTY | O_CLOEXEC);
  if (fd >= 0) close(fd);
  return fd >= 0;
}

/* A whole number in a range, or -1. */
static long number_of(const char *text, long highest) {
  char *end;
  errno = 0;
  long value = strtol(text, &end, 10);
  return *text < '0' || *text > '9' || *end || errno || value > highest ? -1 : value;
}

static enum end deliver(struct call *call, int again) {
  int fd = call->fd;
  enum end end = again ? ABSENT : call->reached;
  if (end == ABSENT) {
    journal_write(call);
    end = reach_server(call, &fd);
  }
  if (end != ANSWERED) return end;
  struct iovec parts[] = {{call->head.data, call->head.length}, {call->payload.kept.data, call->payload.kept.length}};
  return converse(call, fd, parts, 2);
}

/* A server that took the frame and died over it, or retired, is followed by one other. One that never took it may have been
   dying when we came: its listening socket outlives its connections by a moment. */
static enum end deliver_again(struct call *call) {
  enum end end = LOST;
  for (int taken = 0, untaken = 0; end == LOST && (call->acked ? ++taken < 2 : ++untaken <= UNTAKEN_LIMIT);) {
    frame_mark_resent(call);
    call->acked = 0;
    end = deliver(call, 1);
  }
  return end;
}

static int forward(struct call *call, char **registration, int terminal) {
  long timeout = number_of(registration[3], INT_MAX), reserve = timeout / 10 > 300 ? timeout / 10 : 300;
  enum end end = LATE;
  call->registration = registration;
  call->terminal = terminal != 0 || tty_opens();
  call->deadline = call->began + (timeout * 1000 - reserve * 500);
  int found = places_find(&call->places, registration[-1]);
  int ours = found && home_is_ours(&call->places);
  /* Before we read: the server takes the connection in while the payload is still on its way. */
  if (ours) call->reached = wire_connect(&call->places, call->deadline, &call->fd);
  find_cwd(call);
  /* A terminal is no agent: reading it would take the person's keys. */
  if (!(terminal & 1)) read_payload(0, call->deadline, &call->payload);
  bytes_settle(&call->payload.kept);
  if (!ours || !frame_build(call)) return 0;
  if (!call->payload.late) {
    end = deliver(call, 0);
    if (end == LOST) end = deliver_again(call);
  }
  if ((!call->acked || end == LOST) && !call->journal_file) journal_write(call);
  return fall_back(call, end != LATE);
}

static int option(struct call *call, int argc, char **argv) {
  const char *name = argv[1];
  if (strcmp(name, "--version") == 0) return dprintf(1, "%s\n", PITON_VERSION) < 0;
  if (!places_find(&call->places, argv[0])) {
    dprintf(2, "piton-forward: this file does not lie in <home>/runtime/<version>/\n");
    return 78;
  }
  if (strcmp(name, "--where") == 0)
    return dprintf(1, "%s\n%s\n%s\n", call->places.hash, call->places.environment, call->places.sockets) < 0;
  if (strcmp(name, "--attach") == 0 && argc == 3) {
    call->deadline = call->began + ATTACH_US;
    if (strlen(argv[2]) == STAMP_LENGTH && home_is_ours(&call->places)) attach(call, argv[2]);
    return 0;
  }
  int here = argc > 2 && strcmp(argv[2], "here") == 0;
  long wait = argc > 2 && !here ? number_of(argv[2], 600000) : 0;
  if (strcmp(name, "--serve") != 0 || wait < 0) {
    dprintf(2, "%s", usage);
    return 64;
  }
  if (!home_is_ours(&call->places)) {
    dprintf(2, "piton-forward: %s belongs to another user\n", call->places.home);
    return 77;
  }
  if (here) serve_here(&call->places);
  return start_server(&call->places, (int)wait);
}

/* Git called us by the name of its hook, and not as an agent's configuration does. */
static void run_as_hook(struct call *call, const char *hook, int argc, char **argv) {
  char **words = list_room((size_t)argc + GIT_WORDS + 2);
  if (!words) return;
  words[0] = argv[0];
  for (size_t at = 0; at < GIT_WORDS; at++) words[1 + at] = (char *)git_registration[at];
  words[1 + GIT_WORDS] = (char *)hook;
  for (int at = 1; at <= argc; at++) words[1 + GIT_WORDS + (size_t)at] = argv[at]; /* its NULL too */
  git_hook(call, words + 1);
}

int main(int argc, char **argv) {
  static HOT struct call call;
  struct sigaction ignore = {.sa_handler = SIG_IGN};
  call.began = now_us();
  call.wall = wall_us();
  int terminal = hold_stdio();
  sigaction(SIGPIPE, &ignore, &agent_sigpipe); /* an agent may close our stdout, the server our socket */
  const char *hook = argc > 0 ? git_hook_name(argv[0]) : NULL;
  if (hook) {
    run_as_hook(&call, hook, argc, argv);
    _exit(0);
  }
  if (argc > 1 && strncmp(argv[1], "--", 2) == 0) _exit(option(&call, argc, argv));
  if (argc < 6 || number_of(argv[4], INT_MAX) < 0) { /* a broken line must not break the agent; a person is told */
    if (terminal & 4) dprintf(2, "%s", usage);
    else read_payload(0, call.began + 1000000, &call.payload); /* nor end on EPIPE whoever writes to us */
    _exit(terminal & 4 ? 64 : 0);
  }
  if (strcmp(argv[1], git_registration[0]) == 0) {
    git_hook(&call, argv + 1);
    _exit(0);
  }
  _exit(forward(&call, argv + 1, terminal));
}
