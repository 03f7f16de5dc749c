/* Everything that a command has started, and its end. */
#include "forward.h"

#include <fcntl.h>
#include <stdio.h>
#include <sys/wait.h>
#include <unistd.h>

#ifdef __linux__
/* Costs a hundredth of a look into /proc, and mostly there is none. */
static int has_children(void) {
  siginfo_t info;
  return waitid(P_ALL, 0, &info, WEXITED | WSTOPPED | WNOHANG | WNOWAIT) == 0;
}
#endif

/* Everything that has us as its parent: the command, and descendants whose own parents are gone. */
int list_children(pid_t *list, int size) {
  int count = 0;
#ifdef __linux__
  char text[4096];
  pid_t pid = 0;
  if (!has_children()) return 0;
  snprintf(text, sizeof text, "/proc/self/task/%ld/children", (long)getpid());
  int fd = open(text, O_RDONLY | O_CLOEXEC);
  for (ssize_t got; fd >= 0 && (got = read(fd, text, sizeof text)) > 0;) {
    for (ssize_t i = 0; i < got && count < size; i++) { /* each number is followed by a space */
      if (text[i] >= '0' && text[i] <= '9') pid = pid * 10 + (text[i] - '0');
      else if (pid) list[count++] = pid, pid = 0;
    }
  }
  if (fd >= 0) close(fd);
#else
  (void)list, (void)size;
#endif
  return count;
}

/* Kills the group and whatever left it: a killed parent hands its children to us, so we look until none is left.
   Spared are those that an earlier command of this event left behind. */
void kill_tree(pid_t leader, const pid_t *spared, int spared_count) {
  pid_t found[1024];
  kill(-leader, SIGKILL);
  kill(leader, SIGKILL);
  for (int round = 0; round < 1000; round++) {
    int left = 0, count = list_children(found, 1024);
    for (int i = 0; i < count; i++) {
      int spare = 0;
      for (int j = 0; j < spared_count; j++) spare |= found[i] == spared[j];
      if (spare) continue;
      kill(found[i], SIGKILL);
      waitpid(found[i], NULL, WNOHANG);
      left++;
    }
    if (!left) break;
    usleep(500);
  }
  waitpid(leader, NULL, WNOHANG);
}
