/* What running a hook has to cost: read stdin, spawn the script with it, take its output, print it.
   With a socket it asks the server there before it runs the script, and once more when it is over.
   usage: spawn-script SCRIPT [SOCKET] */
#define _GNU_SOURCE
#include <fcntl.h>
#include <spawn.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <sys/wait.h>
#include <unistd.h>

extern char **environ;
static char payload[65536], output[65536];

static int server_at(const char *path) {
  struct sockaddr_un place = {.sun_family = AF_UNIX};
  int server = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0);
  strncpy(place.sun_path, path, sizeof place.sun_path - 1);
  return connect(server, (struct sockaddr *)&place, sizeof place) == 0 ? server : -1;
}

static int asks(int server, size_t length) {
  static char answer[64];
  return write(server, payload, length) == (ssize_t)length && read(server, answer, sizeof answer) > 0;
}

int main(int count, char **arguments) {
  size_t length = 0, held = 0;
  int in[2], out[2], status, server = count == 3 ? server_at(arguments[2]) : -1;
  pid_t child;
  posix_spawn_file_actions_t actions;
  if (count < 2 || count > 3 || (count == 3 && server < 0) || pipe2(in, O_CLOEXEC) != 0 || pipe2(out, O_CLOEXEC) != 0) return 2;
  for (ssize_t got; (got = read(0, payload + length, sizeof payload - length)) > 0;) length += (size_t)got;
  if (count == 3 && !asks(server, length)) return 1;
  posix_spawn_file_actions_init(&actions);
  posix_spawn_file_actions_adddup2(&actions, in[0], 0);
  posix_spawn_file_actions_adddup2(&actions, out[1], 1);
  if (posix_spawn(&child, arguments[1], &actions, NULL, arguments + 1, environ) != 0) return 1;
  close(in[0]);
  close(out[1]);
  if (write(in[1], payload, length) < 0) return 1;
  close(in[1]);
  for (ssize_t got; (got = read(out[0], output + held, sizeof output - held)) > 0;) held += (size_t)got;
  if (waitpid(child, &status, 0) != child || (count == 3 && !asks(server, length)) || write(1, output, held) != (ssize_t)held) return 1;
  return WIFEXITED(status) ? WEXITSTATUS(status) : 1;
}
