/* The smallest frame that the server takes: registration, stamp, cwd, payload. */
#include <stdint.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

static size_t put_u32(unsigned char *at, uint32_t value) {
  for (int i = 0; i < 4; i++) at[i] = (unsigned char)(value >> (8 * i));
  return 4;
}

static size_t put_field(unsigned char *at, unsigned char tag, const void *data, size_t length) {
  at[0] = tag;
  put_u32(at + 1, (uint32_t)length);
  memcpy(at + 5, data, length);
  return 5 + length;
}

static uint64_t clock_us(clockid_t clock) {
  struct timespec at;
  clock_gettime(clock, &at);
  return (uint64_t)at.tv_sec * 1000000u + (uint64_t)at.tv_nsec / 1000u;
}

/* Unique for one machine: the time, the pid and a counter. */
static void put_stamp(unsigned char *stamp, uint64_t us, uint64_t salt) {
  static const char alphabet[] = "0123456789ABCDEFGHJKMNPQRSTVWXYZ";
  uint64_t time = us / 1000, rest = salt;
  for (int i = 9; i >= 0; i--, time /= 32) stamp[i] = (unsigned char)alphabet[time % 32];
  for (int i = 25; i >= 18; i--, rest /= 32) stamp[i] = (unsigned char)alphabet[rest % 32];
  rest = us % 1000 * 1000003u + (uint64_t)getpid();
  for (int i = 17; i >= 10; i--, rest /= 32) stamp[i] = (unsigned char)alphabet[rest % 32];
}

/* Magic, message head and body; `at` must hold the payload and 512 bytes more. Gives the length. */
static size_t put_frame(unsigned char *at, const char *event, const char *cwd, const void *payload, size_t length, uint64_t salt) {
  static const unsigned char lead[9] = {'P', 'T', 'N', 1, 'F'};
  unsigned char stamp[26], wall[8], monotonic[8], timeout[4];
  uint64_t now = clock_us(CLOCK_REALTIME), began = clock_us(CLOCK_MONOTONIC);
  put_stamp(stamp, now, salt);
  for (int i = 0; i < 8; i++) wall[i] = (unsigned char)(now >> (8 * i)), monotonic[i] = (unsigned char)(began >> (8 * i));
  put_u32(timeout, 60000);
  memcpy(at, lead, sizeof lead);
  size_t used = sizeof lead;
  used += put_field(at + used, 1, "claude", 6);
  used += put_field(at + used, 2, event, strlen(event));
  used += put_field(at + used, 3, "user", 4);
  used += put_field(at + used, 4, timeout, 4);
  used += put_field(at + used, 6, stamp, sizeof stamp);
  used += put_field(at + used, 8, wall, 8);
  used += put_field(at + used, 9, monotonic, 8);
  used += put_field(at + used, 14, cwd, strlen(cwd));
  used += put_field(at + used, 32, payload, length);
  put_u32(at + 5, (uint32_t)(used - sizeof lead));
  return used;
}
