/* Between fork and exec: the agent's own place, environment, directory, umask, session, signals. */
#include "forward.h"

#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>
#ifdef __linux__
#include <sys/prctl.h>
#endif

extern char **environ;

static const int watched[WATCHED] = {SIGCHLD, SIGINT, SIGTERM, SIGHUP};
HOT struct sigaction agent_sigpipe;
static int signal_pipe;

static void note_signal(int number) {
  int saved = errno;
  unsigned char byte = (unsigned char)number;
  if (write(signal_pipe, &byte, 1) < 0) errno = saved; /* full: as many are waiting to be read */
  errno = saved;
}

void watch_signals(struct agent_signals *before, int pipe) {
  signal_pipe = pipe;
  struct sigaction note = {.sa_handler = note_signal, .sa_flags = SA_RESTART | SA_NOCLDSTOP};
  sigset_t child;
  sigfillset(&note.sa_mask);
  for (int i = 0; i < WATCHED; i++) {
    sigaction(watched[i], NULL, &before->actions[i]);
    /* What the agent ignores stays ignored, for the command too; but we must hear of its end. */
    if (i == 0 || before->actions[i].sa_handler != SIG_IGN) sigaction(watched[i], &note, NULL);
  }
  sigemptyset(&child);
  sigaddset(&child, SIGCHLD);
  sigprocmask(SIG_UNBLOCK, &child, &before->mask);
}

void restore_signals(const struct agent_signals *before) {
  for (int i = 0; i < WATCHED; i++) sigaction(watched[i], &before->actions[i], NULL);
  sigprocmask(SIG_SETMASK, &before->mask, NULL);
}

static int is_unset(const char *entry, char **names) {
  for (; *names; names++) {
    size_t length = strlen(*names);
    if (length && (*names)[length - 1] == '*' ? strncmp(entry, *names, length - 1) == 0 : strncmp(entry, *names, length) == 0 && entry[length] == '=')
      return 1;
  }
  return 0;
}

static int is_set(const char *entry, char **pairs) {
  for (; *pairs; pairs++) {
    size_t length = strcspn(*pairs, "=");
    if (strncmp(entry, *pairs, length) == 0 && entry[length] == '=') return 1;
  }
  return 0;
}

char **child_environment(const struct exec *exec) {
  size_t count = 1;
  for (char **entry = environ; *entry; entry++) count++;
  for (char **pair = exec->set; *pair; pair++) count++;
  char **result = list_room(count), **at = result;
  if (!result) return NULL;
  for (char **entry = environ; *entry; entry++)
    if (!is_unset(*entry, exec->unset) && !is_set(*entry, exec->set)) *at++ = *entry;
  for (char **pair = exec->set; *pair; pair++)
    if (strchr(*pair, '=')) *at++ = *pair;
  *at = NULL;
  return result;
}

static _Noreturn void become(const struct exec *exec, char **env, const int stdio[3], pid_t parent, const struct agent_signals *before, struct failure *failure) {
  setpgid(0, 0);
#ifdef __linux__
  prctl(PR_SET_PDEATHSIG, SIGKILL);
  if (getppid() != parent) _exit(0);
#else
  (void)parent;
#endif
  for (int fd = 0; fd < 3; fd++) dup2(stdio[fd], fd);
  sigaction(SIGPIPE, &agent_sigpipe, NULL);
  restore_signals(before);
  if (exec->cwd[0] && chdir(exec->cwd) != 0) {
    failure->directory = 1;
  } else {
    environ = env; /* its PATH finds the command */
    execvp(exec->argv[0], exec->argv);
    if (errno == ENOEXEC) { /* a script without #!, as every shell takes it; musl's execvp leaves that to us */
      exec->argv[-1] = "/bin/sh";
      execv("/bin/sh", exec->argv - 1);
    }
  }
  failure->error = errno;
  _exit(127);
}

/* Shared, not only lent: where vfork is a fork, as under an emulator, the child has a copy of all else. */
struct failure *failure_open(void) {
  void *shared = mmap(NULL, sizeof(struct failure), PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANON, -1, 0);
  return shared == MAP_FAILED ? NULL : shared;
}

void failure_close(struct failure *failure) {
  if (failure) munmap(failure, sizeof *failure);
}

pid_t start_child(const struct exec *exec, char **env, const int stdio[3], const struct agent_signals *before, struct failure *failure) {
  pid_t parent = getpid();
  char **ours = environ;
#ifdef __linux__
  pid_t child = vfork();
#else
  pid_t child = fork();
#endif
  if (child == 0) become(exec, env, stdio, parent, before, failure);
  environ = ours;
  return child;
}
