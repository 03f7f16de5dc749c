/* Everything that a command has started, and its end. */
#include "forward.h"

#include <stdio.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>

/* Everything that has us as its parent: the command, and descendants whose own parents are gone. */
int list_children(pid_t *list, int size) {
  int count = 0;
#ifdef __linux__
  char path[64];
  struct bytes text = {0};
  snprintf(path, sizeof path, "/proc/self/task/%ld/children", (long)getpid());
  if (read_small_file(path, &text, 1 << 20) && bytes_add(&text, "", 1)) {
    char *at = (char *)text.data, *end;
    for (long pid; count < size && (pid = strtol(at, &end, 10)) > 0; at = end) list[count++] = (pid_t)pid;
  }
  bytes_free(&text);
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
