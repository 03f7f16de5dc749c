/* What the server says. Nothing here trusts a length before it is compared with what is there. */
#include "forward.h"

#include <stdlib.h>
#include <string.h>

struct reader {
  unsigned char *at, *end;
  int bad;
};

static uint32_t u32_at(const unsigned char *at) {
  return (uint32_t)at[0] | (uint32_t)at[1] << 8 | (uint32_t)at[2] << 16 | (uint32_t)at[3] << 24;
}

static unsigned char *take(struct reader *reader, size_t count) {
  if (reader->bad || (size_t)(reader->end - reader->at) < count) {
    reader->bad = 1;
    return NULL;
  }
  unsigned char *at = reader->at;
  reader->at += count;
  return at;
}

static uint32_t take_u32(struct reader *reader) {
  const unsigned char *at = take(reader, 4);
  return at ? u32_at(at) : 0;
}

static unsigned char *take_bytes(struct reader *reader, uint32_t *length) {
  *length = take_u32(reader);
  unsigned char *at = take(reader, *length);
  if (!at) *length = 0;
  return at;
}

/* Moved one byte down, over its own length, which makes room for the NUL. */
static char *take_text(struct reader *reader, int *has_nul) {
  uint32_t length;
  unsigned char *at = take_bytes(reader, &length);
  if (!at) return NULL;
  if (memchr(at, 0, length)) *has_nul = 1;
  memmove(at - 1, at, length);
  at[(ptrdiff_t)length - 1] = 0;
  return (char *)at - 1;
}

/* A usual command's lists fit here: memory from the system costs more than all else about them. */
static char *lists[512];
static size_t lists_used;

char **list_room(size_t count) {
  if (count > sizeof lists / sizeof *lists - lists_used) return malloc(count * sizeof(char *));
  char **list = lists + lists_used;
  lists_used += count;
  return list;
}

void list_free(char **list) {
  if ((uintptr_t)list < (uintptr_t)lists || (uintptr_t)list >= (uintptr_t)lists + sizeof lists) free(list);
}

/* NULL-terminated, with one free place before the first. */
static char **take_list(struct reader *reader, int *has_nul) {
  uint32_t count = take_u32(reader);
  /* Each element needs a length of its own: a larger count is a lie, and must not allocate. */
  if (reader->bad || count > (size_t)(reader->end - reader->at) / 4) {
    reader->bad = 1;
    return NULL;
  }
  char **list = list_room((size_t)count + 2);
  if (!list) {
    reader->bad = 1;
    return NULL;
  }
  list[0] = NULL;
  for (uint32_t i = 0; i <= count; i++) list[i + 1] = i < count ? take_text(reader, has_nul) : NULL;
  return list + 1;
}

enum cut message_cut(unsigned char *data, size_t length, struct message *message) {
  if (length < 5) return CUT_SHORT;
  *message = (struct message){data[0], data + 5, u32_at(data + 1)};
  if (message->length > MESSAGE_LIMIT) return CUT_BROKEN;
  return length - 5 < message->length ? CUT_SHORT : CUT_WHOLE;
}

static void take_answer(struct reader *reader, struct done *done) {
  done->out = take_bytes(reader, &done->out_length);
  done->err = take_bytes(reader, &done->err_length);
}

int read_exec(const struct message *message, struct exec *exec) {
  struct reader reader = {message->body, message->body + message->length, 0};
  *exec = (struct exec){0};
  exec->id = take_u32(&reader);
  exec->timeout_ms = take_u32(&reader);
  exec->stdout_cap = take_u32(&reader);
  exec->stderr_cap = take_u32(&reader);
  exec->argv = take_list(&reader, &exec->has_nul);
  exec->cwd = take_text(&reader, &exec->has_nul);
  exec->set = take_list(&reader, &exec->has_nul);
  exec->unset = take_list(&reader, &exec->has_nul);
  exec->input = take_bytes(&reader, &exec->input_length);
  if (reader.at < reader.end) { /* a server that is older says no more */
    exec->knows_silence = 1;
    exec->if_silent.exit_code = (int32_t)take_u32(&reader);
    take_answer(&reader, &exec->if_silent);
  }
  if (!reader.bad && exec->argv[0]) return 1;
  exec_free(exec);
  return 0;
}

void exec_free(struct exec *exec) {
  if (exec->argv) list_free(exec->argv - 1);
  if (exec->set) list_free(exec->set - 1);
  if (exec->unset) list_free(exec->unset - 1);
  lists_used = 0; /* one command at a time */
  *exec = (struct exec){0};
}

int read_done(const struct message *message, struct done *done) {
  struct reader reader = {message->body, message->body + message->length, 0};
  *done = (struct done){0};
  done->exit_code = (int32_t)take_u32(&reader);
  const unsigned char *flags = take(&reader, 1);
  done->more = flags ? *flags & 1 : 0;
  take_answer(&reader, done);
  return !reader.bad;
}
