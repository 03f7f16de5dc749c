/* Runs one command: feeds it, listens to it, and ends it when its time is up. */
#include "forward.h"

#include <fcntl.h>
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>
#ifdef __linux__
#include <sys/prctl.h>
#endif

#define LEFTOVER_US 100000
#define OUTPUT_LIMIT ((uint32_t)31 << 20) /* both outputs fit one message */
#define MAX_SPARED 256

/* 0: closed. What is over the cap is read and dropped, so that the writer never blocks on us. */
static int capture(int fd, struct bytes *into, uint32_t cap, unsigned char *flags, unsigned char cut) {
  static unsigned char chunk[65536];
  ssize_t got = read(fd, chunk, sizeof chunk);
  if (got < 0) return errno == EAGAIN || errno == EINTR;
  size_t room = cap - into->length, kept = (size_t)got < room ? (size_t)got : room;
  if (!bytes_add(into, chunk, kept)) kept = 0;
  if (kept < (size_t)got) *flags |= cut;
  return got > 0;
}

static void not_started(struct result *result, const char *what, int error) {
  result->exit_code = error == ENOENT ? 127 : 126;
  result->flags = RESULT_NOT_STARTED;
  bytes_free(&result->out);
  bytes_free(&result->err);
  const char *why = error == ELOOP ? "Too many levels of symbolic links" : strerror(error); /* musl's word for it is its own */
  if (bytes_add(&result->err, what, strlen(what)) && bytes_add(&result->err, ": ", 2)) bytes_add(&result->err, why, strlen(why));
}

static void close_fd(int *fd) {
  if (*fd >= 0) close(*fd);
  *fd = -1;
}

enum { IN, OUT, ERR, SIGNALS, FDS };

struct running {
  pid_t pid;
  struct pollfd ours[FDS];
  int64_t ended; /* when, or 0 */
  int status;
};

static void receive_signals(struct running *running, struct result *result) {
  unsigned char numbers[64];
  ssize_t got = read(running->ours[SIGNALS].fd, numbers, sizeof numbers);
  for (ssize_t i = 0; i < got; i++) {
    if (numbers[i] == SIGCHLD) continue;
    kill(-running->pid, numbers[i]);
    result->passed_signal = numbers[i];
  }
  int status;
  for (pid_t pid; (pid = waitpid(-1, &status, WNOHANG)) > 0;) {
    if (pid != running->pid) continue;
    running->ended = now_us();
    running->status = status;
  }
}

/* Feeds and listens until the command has ended and its outputs are closed, or time is up (0). */
static int attend(struct running *running, const struct exec *exec, int64_t limit, struct result *result) {
  struct pollfd *ours = running->ours;
  uint32_t caps[2] = {exec->stdout_cap < OUTPUT_LIMIT ? exec->stdout_cap : OUTPUT_LIMIT, exec->stderr_cap < OUTPUT_LIMIT ? exec->stderr_cap : OUTPUT_LIMIT};
  size_t fed = 0;
  if (exec->input_length == 0) close_fd(&ours[IN].fd);
  for (;;) {
    if (running->ended && ours[OUT].fd < 0 && ours[ERR].fd < 0) return 1;
    int wait = ms_until(running->ended ? running->ended + LEFTOVER_US : limit);
    if (poll(ours, FDS, wait) < 0) {
      if (errno == EINTR) continue;
      return running->ended != 0;
    }
    if (ours[SIGNALS].revents) receive_signals(running, result);
    if (ours[IN].fd >= 0 && ours[IN].revents) {
      ssize_t wrote = write(ours[IN].fd, exec->input + fed, exec->input_length - fed);
      if (wrote > 0) fed += (size_t)wrote;
      /* A reader that closes early is no error. */
      if (fed == exec->input_length || (wrote < 0 && errno != EAGAIN && errno != EINTR)) close_fd(&ours[IN].fd);
    }
    if (ours[OUT].fd >= 0 && ours[OUT].revents && !capture(ours[OUT].fd, &result->out, caps[0], &result->flags, RESULT_STDOUT_CUT)) close_fd(&ours[OUT].fd);
    if (ours[ERR].fd >= 0 && ours[ERR].revents && !capture(ours[ERR].fd, &result->err, caps[1], &result->flags, RESULT_STDERR_CUT)) close_fd(&ours[ERR].fd);
    if (wait == 0) return running->ended != 0;
  }
}

void run(const struct exec *exec, int64_t deadline, struct result *result) {
  int64_t began = now_us(), limit = began + (int64_t)exec->timeout_ms * 1000;
  int pipes[FDS][2] = {{-1, -1}, {-1, -1}, {-1, -1}, {-1, -1}};
  struct agent_signals before;
  struct running running = {0};
  pid_t spared[MAX_SPARED];
  struct failure *failure = failure_open();
  char **env = child_environment(exec);
  int made = env && failure && !exec->has_nul;
  *result = (struct result){0};
  if (exec->has_nul) errno = EINVAL;
  for (int i = 0; made && i < FDS; i++) made = make_pipe(pipes[i]);
  if (!made) {
    not_started(result, exec->argv[0], errno);
    goto out;
  }
  for (int i = 0; i < FDS; i++) { /* our ends only: the command must see ordinary pipes */
    running.ours[i] = (struct pollfd){pipes[i][i == IN], i == IN ? POLLOUT : POLLIN, 0};
    fcntl(running.ours[i].fd, F_SETFL, O_NONBLOCK);
  }
  fcntl(pipes[SIGNALS][1], F_SETFL, O_NONBLOCK);
#ifdef __linux__
  prctl(PR_SET_CHILD_SUBREAPER, 1);
#endif
  int spared_count = list_children(spared, MAX_SPARED);

  watch_signals(&before, pipes[SIGNALS][1]);
  sigset_t all, unblocked; /* until it is the command, the child must not answer for us in our handlers */
  sigfillset(&all);
  sigprocmask(SIG_SETMASK, &all, &unblocked);
  const int stdio[3] = {pipes[IN][0], pipes[OUT][1], pipes[ERR][1]};
  running.pid = start_child(exec, env, stdio, &before, failure);
  int error = errno;
  sigprocmask(SIG_SETMASK, &unblocked, NULL);
  for (int i = 0; i < SIGNALS; i++) close_fd(&pipes[i][i != IN]);

  if (running.pid < 0) {
    not_started(result, exec->argv[0], error);
  } else {
    setpgid(running.pid, running.pid);
    int whole = attend(&running, exec, limit < deadline ? limit : deadline, result);
    if (!whole) {
      kill_tree(running.pid, spared, spared_count);
      result->exit_code = -1;
      result->flags |= RESULT_TIMED_OUT;
    } else if (failure->error) {
      not_started(result, failure->directory ? exec->cwd : exec->argv[0], failure->error);
    } else {
      result->exit_code = WIFSIGNALED(running.status) ? 128 + WTERMSIG(running.status) : WEXITSTATUS(running.status);
    }
  }
  restore_signals(&before);
  result->duration_us = (uint64_t)((running.ended ? running.ended : now_us()) - began);
  for (int i = 0; i < FDS; i++) pipes[i][i == IN] = running.ours[i].fd; /* -1 where closed by now */
out:
  for (int i = 0; i < FDS; i++) close_fd(&pipes[i][0]), close_fd(&pipes[i][1]);
  failure_close(failure);
  list_free(env);
}
