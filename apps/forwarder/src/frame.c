/* One event as the agent gave it, and where and when that was. */
#include "forward.h"

#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#ifdef __APPLE__
#include <sys/random.h>
#include <sys/sysctl.h>
#endif

extern char **environ;

enum tag {
  AGENT = 1, NATIVE_EVENT, SCOPE, TIMEOUT_MS, ARGUMENT, STAMP, BOOT_ID, WALL_US, MONOTONIC_US, PID, PPID,
  DEPTH, RUN, CWD, FLAGS, VARIABLE, SENDER, CANARY, PAYLOAD_SIZE, PAYLOAD = 32
};
enum { FLAG_TERMINAL = 1, FLAG_TRUNCATED = 2 };

static int field(struct bytes *head, enum tag tag, const void *data, size_t length) {
  unsigned char lead[5] = {(unsigned char)tag};
  put_number(lead + 1, length, 4);
  return bytes_add(head, lead, 5) && bytes_add(head, data, length);
}

static int text(struct bytes *head, enum tag tag, const char *value) { return field(head, tag, value, strlen(value)); }

static int number(struct bytes *head, enum tag tag, uint64_t value, int width) {
  unsigned char bytes[8];
  put_number(bytes, value, width);
  return field(head, tag, bytes, (size_t)width);
}

/* 48 bits of time, 80 random bits, in Crockford's base 32. */
static void make_stamp(char stamp[27], int64_t wall) {
  static const char alphabet[] = "0123456789ABCDEFGHJKMNPQRSTVWXYZ";
  unsigned char random[10];
  uint64_t time = (uint64_t)wall / 1000, held = 0;
  if (getentropy(random, sizeof random) != 0) { /* no such call here: pid and clock are unique enough for one machine */
    put_number(random, (uint64_t)now_us() * 1000003u, 6);
    put_number(random + 6, (uint64_t)getpid(), 4);
  }
  for (int i = 9; i >= 0; i--, time /= 32) stamp[i] = alphabet[time % 32];
  for (int i = 0, bits = 0, out = 10; i < 10; i++) {
    held = held << 8 | random[i];
    for (bits += 8; bits >= 5; out++) stamp[out] = alphabet[held >> (bits -= 5) & 31];
  }
  stamp[26] = 0;
}

static size_t read_boot_id(char *id, size_t size) {
#ifdef __APPLE__ /* untested */
  if (sysctlbyname("kern.bootsessionuuid", id, &size, NULL, 0) != 0) return 0;
  return strnlen(id, size);
#else
  int fd = open("/proc/sys/kernel/random/boot_id", O_RDONLY);
  if (fd < 0) return 0;
  ssize_t length = read(fd, id, size);
  close(fd);
  while (length > 0 && id[length - 1] == '\n') length--;
  return length > 0 ? (size_t)length : 0;
#endif
}

static int variables(struct bytes *head, const char *names) {
  for (size_t length; *names; names += length + (names[length] == ',')) {
    length = strcspn(names, ",");
    for (char **entry = environ; *entry; entry++) {
      if (strncmp(*entry, names, length) != 0 || (*entry)[length] != '=' || length == 0) continue;
      if (!text(head, VARIABLE, *entry)) return 0;
      break;
    }
  }
  return 1;
}

static const char *variable(const char *name) {
  const char *value = getenv(name);
  return value ? value : "";
}

/* Only this hook asks, and to look costs a few system calls. */
static int amend(struct bytes *head, char **registration) {
  if (strcmp(registration[0], "git") != 0 || !registration[5] || strcmp(registration[5], "prepare-commit-msg") != 0) return 1;
  int amends = git_amends();
  return amends < 0 || text(head, VARIABLE, amends ? "PITON_AMEND=1" : "PITON_AMEND=0");
}

void find_cwd(struct call *call) {
  struct bytes path;
  bytes_borrow(&path);
  call->cwd = getcwd((char *)path.data, path.capacity) ? (char *)path.data : "";
  path.length = strlen(call->cwd) + 1;
  bytes_settle(&path);
}

int frame_build(struct call *call) {
  static const unsigned char lead[9] = {'P', 'T', 'N', 1, 'F'};
  char boot_id[64];
  char **registration = call->registration;
  struct bytes *head = &call->head;
  size_t cut = call->payload.size > call->payload.kept.length;
  bytes_borrow(head);
  make_stamp(call->stamp, call->wall);
  int fits = bytes_add(head, lead, sizeof lead) && text(head, AGENT, registration[0]) && text(head, NATIVE_EVENT, registration[1]) &&
             text(head, SCOPE, registration[2]) && number(head, TIMEOUT_MS, strtoul(registration[3], NULL, 10), 4);
  for (char **argument = registration + 5; fits && *argument; argument++) fits = text(head, ARGUMENT, *argument);
  fits = fits && text(head, STAMP, call->stamp) && field(head, BOOT_ID, boot_id, read_boot_id(boot_id, sizeof boot_id)) &&
         number(head, WALL_US, (uint64_t)call->wall, 8) && number(head, MONOTONIC_US, (uint64_t)call->began, 8) &&
         number(head, PID, (uint64_t)getpid(), 4) && number(head, PPID, (uint64_t)getppid(), 4) &&
         number(head, DEPTH, strtoul(variable("PITON_DEPTH"), NULL, 10), 4) && text(head, RUN, variable("PITON_RUN")) &&
         text(head, CWD, call->cwd) && number(head, FLAGS, (call->terminal ? FLAG_TERMINAL : 0u) | (cut ? FLAG_TRUNCATED : 0u), 4);
  call->flags_at = head->length - 4;
  fits = fits && (strcmp(registration[4], "-") == 0 || variables(head, registration[4])) && amend(head, registration) && text(head, SENDER, "forwarder/" PITON_VERSION) &&
         (!*variable("PITON_CANARY") || text(head, CANARY, variable("PITON_CANARY"))) && number(head, PAYLOAD_SIZE, call->payload.size, 8);
  unsigned char tail[5] = {PAYLOAD};
  put_number(tail + 1, call->payload.kept.length, 4);
  if (!fits || !bytes_add(head, tail, 5)) return 0;
  put_number(head->data + 5, head->length - sizeof lead + call->payload.kept.length, 4);
  bytes_settle(head);
  return 1;
}

void frame_mark_resent(struct call *call) { call->head.data[call->flags_at] |= FRAME_RESENT; }
