/* Many clients at once: COUNT events at RATE a second, each on a connection of its own, as forwarders do it.
   usage: burst SOCKET COUNT RATE CWD FIRST      prints: answered TAB seconds TAB p50 µs TAB p99 µs TAB longest µs TAB most open */
#define _GNU_SOURCE
#include "tiny-frame.h"

#include <errno.h>
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/socket.h>
#include <sys/un.h>

enum { OPEN = 1000, SESSIONS = 50 };

struct talk {
  uint64_t due;
  size_t held;
  unsigned char answer[4096];
};

static struct pollfd polled[OPEN];
static struct talk talks[OPEN];
static struct sockaddr_un place = {.sun_family = AF_UNIX};

static int by_size(const void *a, const void *b) {
  uint64_t x = *(const uint64_t *)a, y = *(const uint64_t *)b;
  return x < y ? -1 : x > y;
}

static int done(const struct talk *talk) {
  for (size_t at = 0; at + 5 <= talk->held;) {
    size_t body = talk->answer[at + 1] | (size_t)talk->answer[at + 2] << 8;
    if (at + 5 + body > talk->held) return 0;
    if (talk->answer[at] == 'D') return 1;
    at += 5 + body;
  }
  return 0;
}

/* A full backlog is busy, not dead: the caller tries again. */
static int ask(const char *cwd, uint64_t number) {
  static unsigned char frame[8192];
  char payload[1024];
  int server = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0);
  if (server < 0 || connect(server, (struct sockaddr *)&place, sizeof place) != 0) {
    if (server >= 0) close(server);
    return -1;
  }
  int length = snprintf(payload, sizeof payload,
    "{\"session_id\":\"burst-%u\",\"cwd\":\"%s\",\"hook_event_name\":\"PreToolUse\",\"tool_name\":\"Bash\","
    "\"tool_input\":{\"command\":\"echo needle%llu && npm test -- --run packages/contracts\",\"description\":\"Run one package's tests\"},"
    "\"tool_use_id\":\"toolu_%llu\",\"permission_mode\":\"default\"}",
    (unsigned)(number % SESSIONS), cwd, (unsigned long long)number, (unsigned long long)number);
  size_t size = put_frame(frame, "PreToolUse", cwd, payload, (size_t)length, number);
  if (write(server, frame, size) != (ssize_t)size) {
    close(server);
    return -1;
  }
  return server;
}

int main(int count, char **arguments) {
  if (count != 6) return 2;
  strncpy(place.sun_path, arguments[1], sizeof place.sun_path - 1);
  uint64_t events = strtoull(arguments[2], NULL, 10), rate = strtoull(arguments[3], NULL, 10), first = strtoull(arguments[5], NULL, 10);
  uint64_t *took = calloc(events, sizeof *took), started = clock_us(CLOCK_MONOTONIC), sent = 0, answered = 0, last = started;
  nfds_t open = 0, most = 0;
  if (!took) return 1;
  while (answered < events && clock_us(CLOCK_MONOTONIC) - last < 30000000u) {
    for (uint64_t now; open < OPEN && sent < events && (now = clock_us(CLOCK_MONOTONIC)) >= started + sent * 1000000u / rate; sent++) {
      int server = ask(arguments[4], first + sent);
      if (server < 0) break;
      polled[open] = (struct pollfd){.fd = server, .events = POLLIN};
      talks[open] = (struct talk){.due = started + sent * 1000000u / rate};
      if (++open > most) most = open;
    }
    if (poll(polled, open, 1) < 0) return 1;
    for (nfds_t at = 0; at < open; at++) {
      if (!polled[at].revents) continue;
      struct talk *talk = &talks[at];
      ssize_t got = read(polled[at].fd, talk->answer + talk->held, sizeof talk->answer - talk->held);
      if (got < 0 && errno == EAGAIN) continue;
      if (got > 0) talk->held += (size_t)got;
      if (got > 0 && !done(talk)) continue;
      last = clock_us(CLOCK_MONOTONIC);
      if (got > 0) took[answered++] = last - talk->due;
      else fprintf(stderr, "burst: a connection ended without an answer\n");
      close(polled[at].fd);
      polled[at] = polled[--open];
      talks[at] = talks[open];
      at--;
    }
  }
  qsort(took, answered, sizeof *took, by_size);
  uint64_t none = 0, *all = answered ? took : &none, top = answered ? answered - 1 : 0;
  printf("%llu\t%.3f\t%llu\t%llu\t%llu\t%lu\n", (unsigned long long)answered, (double)(last - started) / 1e6,
         (unsigned long long)all[top / 2], (unsigned long long)all[top * 99 / 100], (unsigned long long)all[top], (unsigned long)most);
  return answered == events ? 0 : 1;
}
