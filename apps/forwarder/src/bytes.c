#include "forward.h"

#include <fcntl.h>
#include <poll.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>
#ifdef __linux__
#include <sys/syscall.h>
#endif

int bytes_room(struct bytes *bytes, size_t more) {
  if (bytes->capacity - bytes->length >= more) return 1;
  size_t capacity = bytes->capacity ? bytes->capacity : 4096;
  while (capacity - bytes->length < more) {
    if (capacity > SIZE_MAX / 2) return 0;
    capacity *= 2;
  }
  unsigned char *data = realloc(bytes->owned ? bytes->data : NULL, capacity);
  if (!data) return 0;
  if (!bytes->owned && bytes->length) memcpy(data, bytes->data, bytes->length);
  bytes->data = data;
  bytes->capacity = capacity;
  bytes->owned = 1;
  return 1;
}

int bytes_add(struct bytes *bytes, const void *data, size_t length) {
  if (!bytes_room(bytes, length)) return 0;
  if (length) memcpy(bytes->data + bytes->length, data, length);
  bytes->length += length;
  return 1;
}

void bytes_free(struct bytes *bytes) {
  if (bytes->owned) free(bytes->data);
  *bytes = (struct bytes){0};
}

static unsigned char arena[65536];
static HOT size_t arena_used;

void bytes_borrow(struct bytes *bytes) { *bytes = (struct bytes){arena + arena_used, 0, sizeof arena - arena_used, 0}; }

void bytes_settle(const struct bytes *bytes) {
  if (!bytes->owned) arena_used += bytes->length;
}

void put_number(unsigned char *at, uint64_t value, int width) {
  for (int i = 0; i < width; i++) at[i] = (unsigned char)(value >> (8 * i));
}

static int64_t clock_us(clockid_t clock) {
  struct timespec time;
#if defined(__linux__) && defined(__LP64__)
  syscall(SYS_clock_gettime, clock, &time); /* not the vDSO's: two pages, for a handful of calls */
#else
  clock_gettime(clock, &time);
#endif
  return (int64_t)time.tv_sec * 1000000 + time.tv_nsec / 1000;
}

int64_t now_us(void) { return clock_us(CLOCK_MONOTONIC); }
int64_t wall_us(void) { return clock_us(CLOCK_REALTIME); }

int ms_until(int64_t until_us) {
  if (until_us == NO_DEADLINE) return -1;
  int64_t left = until_us - now_us();
  if (left <= 0) return 0;
  return left > 1000000000 ? 1000000 : (int)((left + 999) / 1000);
}

int path_of(char out[PATH_SIZE], const char *format, ...) {
  va_list values;
  va_start(values, format);
  int length = vsnprintf(out, PATH_SIZE, format, values);
  va_end(values);
  if (length >= 0 && length < PATH_SIZE) return 1;
  out[0] = 0;
  return 0;
}

int make_pipe(int fds[2]) {
#ifdef __linux__
  return pipe2(fds, O_CLOEXEC) == 0;
#else /* macOS, untested: no pipe2; we have one thread, so nothing forks in between */
  if (pipe(fds) != 0) return 0;
  fcntl(fds[0], F_SETFD, FD_CLOEXEC);
  fcntl(fds[1], F_SETFD, FD_CLOEXEC);
  return 1;
#endif
}

int write_whole(int fd, const void *data, size_t length) {
  const unsigned char *at = data;
  while (length) {
    ssize_t wrote = write(fd, at, length);
    if (wrote > 0) {
      at += wrote;
      length -= (size_t)wrote;
    } else if (wrote < 0 && errno == EAGAIN) { /* an agent's pipe may be non-blocking */
      struct pollfd ready = {fd, POLLOUT, 0};
      poll(&ready, 1, -1);
    } else if (wrote == 0 || errno != EINTR) {
      return 0;
    }
  }
  return 1;
}

int read_small_file(const char *path, struct bytes *into, size_t limit) {
  int fd = open(path, O_RDONLY | O_CLOEXEC);
  if (fd < 0) return 0;
  ssize_t got = 0;
  while (into->length < limit && bytes_room(into, 512)) {
    size_t room = into->capacity - into->length;
    got = read(fd, into->data + into->length, room < limit - into->length ? room : limit - into->length);
    if (got <= 0) break;
    into->length += (size_t)got;
  }
  close(fd);
  return got >= 0 && into->length < limit;
}

void stdio_to_null(void) {
  int null = open("/dev/null", O_RDWR | O_CLOEXEC);
  if (null < 0) return;
  for (int fd = 0; fd < 3; fd++) dup2(null, fd);
  if (null > 2) close(null);
}

void close_from(int lowest) {
#ifdef SYS_close_range
  if (syscall(SYS_close_range, (unsigned)lowest, ~0U, 0U) == 0) return;
#endif
  long highest = sysconf(_SC_OPEN_MAX);
  if (highest < 0 || highest > 65536) highest = 65536;
  for (int fd = lowest; fd < highest; fd++) close(fd);
}
