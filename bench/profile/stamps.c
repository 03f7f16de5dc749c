/* Linked into the forwarder: notes when each of its steps is done, and writes that down when it exits. Of a call that comes more
   often the last one counts. The preprocessor gives the calls other names in the forwarder, so no line of it differs. */
#undef connect
#undef writev
#undef poll
#undef write
#undef _exit
#define _GNU_SOURCE
#include <fcntl.h>
#include <poll.h>
#include <stdint.h>
#include <stdlib.h>
#include <sys/socket.h>
#include <sys/uio.h>
#include <time.h>
#include <unistd.h>

enum { STARTED, CONNECTED, SENT, WOKEN, PRINTED, EXITING, STAMPS };
static uint64_t stamps[STAMPS];

int stamped_connect(int fd, const struct sockaddr *address, socklen_t length);
ssize_t stamped_writev(int fd, const struct iovec *parts, int count);
int stamped_poll(struct pollfd *fds, nfds_t count, int timeout);
ssize_t stamped_write(int fd, const void *data, size_t length);
__attribute__((noreturn)) void stamped__exit(int code);

static void stamp(int what) {
  struct timespec at;
  clock_gettime(CLOCK_MONOTONIC, &at);
  stamps[what] = (uint64_t)at.tv_sec * 1000000000u + (uint64_t)at.tv_nsec;
}

__attribute__((constructor)) static void started(void) { stamp(STARTED); }

int stamped_connect(int fd, const struct sockaddr *address, socklen_t length) {
  int result = connect(fd, address, length);
  stamp(CONNECTED);
  return result;
}

ssize_t stamped_writev(int fd, const struct iovec *parts, int count) {
  ssize_t result = writev(fd, parts, count);
  stamp(SENT);
  return result;
}

int stamped_poll(struct pollfd *fds, nfds_t count, int timeout) {
  int result = poll(fds, count, timeout);
  stamp(WOKEN);
  return result;
}

ssize_t stamped_write(int fd, const void *data, size_t length) {
  ssize_t result = write(fd, data, length);
  if (fd == 1) stamp(PRINTED);
  return result;
}

void stamped__exit(int code) {
  const char *path = getenv("PITON_PROFILE");
  stamp(EXITING);
  int file = path ? open(path, O_WRONLY | O_APPEND | O_CREAT | O_CLOEXEC, 0600) : -1;
  if (file >= 0 && write(file, stamps, sizeof stamps) < 0) code = 1;
  _exit(code);
}
