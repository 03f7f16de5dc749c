/* What the fuzzer drives: everything that reads bytes of another process. The first byte chooses which. */
#include "../src/forward.h"

#include <stdint.h>
#include <stdlib.h>
#include <string.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);
extern unsigned long fuzz_parsed;

unsigned long fuzz_parsed; /* how many inputs were understood: a fuzzer that only meets refusals finds nothing */
static volatile size_t seen; /* reads what was parsed, so that the sanitizers see the reads */

static void touch(const void *data, size_t length) {
  for (size_t i = 0; i < length; i++) seen += ((const unsigned char *)data)[i];
}

static void touch_list(char **list) {
  for (; *list; list++) touch(*list, strlen(*list) + 1);
}

/* A copy of just this size: one byte too far is a crash. */
static void messages(const uint8_t *data, size_t size) {
  unsigned char *copy = malloc(size ? size : 1);
  if (!copy) abort();
  if (size) memcpy(copy, data, size);
  struct message message;
  for (size_t at = 0; message_cut(copy + at, size - at, &message) == CUT_WHOLE; at += 5 + (size_t)message.length) {
    struct exec exec;
    struct done done;
    touch(message.body, message.length);
    if (message.type == 'E' && read_exec(&message, &exec)) {
      char **env = child_environment(&exec);
      fuzz_parsed++;
      touch_list(exec.argv);
      touch_list(exec.set);
      touch_list(exec.unset);
      touch(exec.cwd, strlen(exec.cwd) + 1);
      touch(exec.input, exec.input_length);
      touch(exec.if_silent.out, exec.if_silent.out_length);
      touch(exec.if_silent.err, exec.if_silent.err_length);
      exec.argv[-1] = "/bin/sh";
      if (!exec.argv[0] || !env) abort();
      list_free(env);
      exec_free(&exec);
    } else if (message.type == 'D' && read_done(&message, &done)) {
      fuzz_parsed++;
      touch(done.out, done.out_length);
      touch(done.err, done.err_length);
      if ((size_t)done.out_length + done.err_length + 13 > message.length) abort();
    }
  }
  free(copy);
}

/* Wherever the bytes are cut, the count is the same: pipes cut where they like. */
static void values(const uint8_t *data, size_t size) {
  struct value_count whole = {0}, parts = {0};
  count_value(&whole, data, size);
  for (size_t at = 0; at < size;) {
    size_t step = 1 + data[at] % 7;
    if (step > size - at) step = size - at;
    count_value(&parts, data + at, step);
    at += step;
  }
  if (whole.depth != parts.depth || whole.in_string != parts.in_string || value_complete(&whole) != value_complete(&parts)) abort();
  if (value_complete(&whole)) fuzz_parsed++;
  if (whole.depth > size || (size == 0 && value_complete(&whole))) abort();
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  if (size == 0) return 0;
  if (data[0] % 2) messages(data + 1, size - 1);
  else values(data + 1, size - 1);
  return 0;
}
