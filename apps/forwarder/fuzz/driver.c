/* A mutation fuzzer that needs no clang: `fuzzer <iterations> [seed]`. The same seed does the same; it is printed first. */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);
extern unsigned long fuzz_parsed;

#define LARGEST 4096

static uint64_t state;

static uint32_t dice(uint32_t sides) { /* xorshift64* */
  state ^= state >> 12;
  state ^= state << 25;
  state ^= state >> 27;
  return (uint32_t)((state * 0x2545f4914f6cdd1du) >> 32) % sides;
}

/* Seeds: an E, a D, K+D+Z in one piece, and JSON. Each is led by the byte that chooses the target. */
#define TEXT(length, text) length "\0\0\0" text
static const char exec_message[] = "\1E\100\0\0\0" "\1\0\0\0\350\3\0\0\0\20\0\0\0\20\0\0" "\2\0\0\0" TEXT("\2", "sh") TEXT("\2", "-c")
    TEXT("\1", "/") "\1\0\0\0" TEXT("\3", "A=b") "\1\0\0\0" TEXT("\2", "C*") TEXT("\2", "{}");
static const char done_message[] = "\1D\23\0\0\0" "\0\0\0\0\1" TEXT("\2", "{}") TEXT("\4", "oops");
static const char row[] = "\1K\1\0\0\0\0" "D\17\0\0\0" "\0\0\0\0\0" TEXT("\2", "{}") TEXT("\0", "") "Z\0\0\0\0";
static const char json[] = "\2{\"a\":[1,{\"b\":\"\\\"}\"}],\"c\":\"[\\\\\"} ";
static const struct {
  const char *bytes;
  size_t size;
} seeds[] = {{exec_message, sizeof exec_message - 1}, {done_message, sizeof done_message - 1}, {row, sizeof row - 1}, {json, sizeof json - 1}};

static size_t mutate(uint8_t *data, size_t size) {
  static const uint32_t edges[] = {0, 1, 4, 5, 0x7fffffff, 0x80000000u, 0xffffffffu, 64u << 20, (64u << 20) + 1};
  static const char brackets[] = "{}[]\"\\ \n,:";
  size_t at = size ? dice((uint32_t)size) : 0, length;
  switch (dice(7)) {
  case 0:
    if (size) data[at] = (uint8_t)dice(256);
    return size;
  case 1:
    if (size) data[at] ^= (uint8_t)(1u << dice(8));
    return size;
  case 2: /* a length that lies */
    if (size < at + 4) return size;
    for (uint32_t i = 0, edge = edges[dice(9)]; i < 4; i++) data[at + i] = (uint8_t)(edge >> (8 * i));
    return size;
  case 3:
    return at;
  case 4: /* repeat a piece */
    length = size - at < LARGEST - size ? size - at : LARGEST - size;
    memcpy(data + size, data + at, length);
    return size + length;
  case 5:
    if (size == LARGEST) return size;
    memmove(data + at + 1, data + at, size - at);
    data[at] = (uint8_t)brackets[dice(sizeof brackets - 1)];
    return size + 1;
  default: /* off by one, the mistake that lengths are made of */
    if (size) data[at] = (uint8_t)(data[at] + (dice(2) ? 1 : 255));
    return size;
  }
}

int main(int argc, char **argv) {
  static uint8_t data[LARGEST];
  unsigned long iterations = argc > 1 ? strtoul(argv[1], NULL, 10) : 100000;
  uint64_t seed = argc > 2 ? strtoull(argv[2], NULL, 10) : (uint64_t)time(NULL);
  printf("seed %llu\n", (unsigned long long)seed);
  fflush(stdout);
  state = seed * 0x9e3779b97f4a7c15u + 1;
  for (size_t i = 0; i < sizeof seeds / sizeof *seeds; i++) {
    unsigned long before = fuzz_parsed;
    LLVMFuzzerTestOneInput((const uint8_t *)seeds[i].bytes, seeds[i].size);
    if (fuzz_parsed == before) return fprintf(stderr, "seed input %zu is not understood\n", i), 1;
  }
  for (unsigned long i = 0; i < iterations; i++) {
    uint32_t chosen = dice(sizeof seeds / sizeof *seeds);
    size_t size = seeds[chosen].size;
    memcpy(data, seeds[chosen].bytes, size);
    for (uint32_t rounds = 1 + dice(8); rounds; rounds--) size = mutate(data, size);
    LLVMFuzzerTestOneInput(data, size);
  }
  printf("%lu inputs, %lu understood\n", iterations, fuzz_parsed);
  return 0;
}
