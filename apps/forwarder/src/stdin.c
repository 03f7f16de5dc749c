/* The payload: read to its end, or to silence after a complete value, since some agents never close the pipe. */
#include "forward.h"

#include <poll.h>
#include <unistd.h>

#define SILENCE_MS 200

void count_value(struct value_count *count, const unsigned char *data, size_t length) {
  for (size_t i = 0; i < length; i++) {
    unsigned char byte = data[i];
    if (count->in_string) {
      if (count->escaped) count->escaped = 0;
      else if (byte == '\\') count->escaped = 1;
      else if (byte == '"') count->in_string = 0;
      continue;
    }
    if (byte == ' ' || byte == '\t' || byte == '\n' || byte == '\r') continue;
    count->begun = 1;
    if (byte == '"') count->in_string = 1;
    else if (byte == '{' || byte == '[') count->depth++;
    else if ((byte == '}' || byte == ']') && count->depth) count->depth--;
  }
}

int value_complete(const struct value_count *count) { return count->begun && !count->in_string && count->depth == 0; }

void read_payload(int fd, int64_t deadline, struct payload *payload) {
  static unsigned char dropped[65536];
  struct bytes *kept = &payload->kept;
  struct value_count count = {0};
  size_t counted = 0;
  bytes_borrow(kept);
  for (;;) {
    struct pollfd ready = {fd, POLLIN, 0};
    int wait = ms_until(deadline);
    if (wait == 0) {
      payload->late = 1;
      return;
    }
    int heard = poll(&ready, 1, wait < SILENCE_MS ? wait : SILENCE_MS);
    if (heard < 0 && errno == EINTR) continue;
    if (heard == 0) {
      /* Counted only now: nearly everybody closes the pipe, and then nobody has to. */
      count_value(&count, kept->data + counted, kept->length - counted);
      counted = kept->length;
      if (wait >= SILENCE_MS && value_complete(&count)) return;
      continue;
    }
    int full = kept->length >= PAYLOAD_LIMIT || (kept->length == kept->capacity && !bytes_room(kept, 1));
    size_t room = full ? sizeof dropped : kept->capacity - kept->length;
    if (!full && room > PAYLOAD_LIMIT - kept->length) room = PAYLOAD_LIMIT - kept->length;
    ssize_t got = read(fd, full ? dropped : kept->data + kept->length, room);
    if (got < 0 && (errno == EINTR || errno == EAGAIN)) continue;
    if (got <= 0) return;
    payload->size += (uint64_t)got;
    if (!full) {
      kept->length += (size_t)got;
      continue;
    }
    count_value(&count, kept->data + counted, kept->length - counted);
    counted = kept->length;
    count_value(&count, dropped, (size_t)got);
  }
}
