/* What running a hook has to cost: read stdin, spawn the script with it, take its output, print it.
   usage: spawn-script SCRIPT */
#define _GNU_SOURCE
#include <fcntl.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

extern char **environ;
static char payload[65536], output[65536];

int main(int count, char **arguments) {
  size_t length = 0, held = 0;
  int in[2], out[2], status;
  pid_t child;
  posix_spawn_file_actions_t actions;
  if (count != 2 || pipe2(in, O_CLOEXEC) != 0 || pipe2(out, O_CLOEXEC) != 0) return 2;
  for (ssize_t got; (got = read(0, payload + length, sizeof payload - length)) > 0;) length += (size_t)got;
  posix_spawn_file_actions_init(&actions);
  posix_spawn_file_actions_adddup2(&actions, in[0], 0);
  posix_spawn_file_actions_adddup2(&actions, out[1], 1);
  if (posix_spawn(&child, arguments[1], &actions, NULL, arguments + 1, environ) != 0) return 1;
  close(in[0]);
  close(out[1]);
  if (write(in[1], payload, length) < 0) return 1;
  close(in[1]);
  for (ssize_t got; (got = read(out[0], output + held, sizeof output - held)) > 0;) held += (size_t)got;
  if (waitpid(child, &status, 0) != child || write(1, output, held) != (ssize_t)held) return 1;
  return WIFEXITED(status) ? WEXITSTATUS(status) : 1;
}
