/* The least that any client has to do: read stdin, send it, print what the server says. No journal, no limits, no care.
   usage: smallest-client SOCKET NATIVE-EVENT */
#define _GNU_SOURCE
#include "tiny-frame.h"

#include <stdlib.h>
#include <sys/socket.h>
#include <sys/un.h>

static unsigned char payload[65536], frame[sizeof payload + 512], answer[65536];

int main(int count, char **arguments) {
  struct sockaddr_un place = {.sun_family = AF_UNIX};
  size_t length = 0, held = 0;
  if (count != 3) return 2;
  for (ssize_t got; (got = read(0, payload + length, sizeof payload - length)) > 0;) length += (size_t)got;
  char *cwd = getcwd(NULL, 0);
  size_t size = put_frame(frame, arguments[2], cwd ? cwd : "/", payload, length, (uint64_t)getpid());
  int server = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0);
  strncpy(place.sun_path, arguments[1], sizeof place.sun_path - 1);
  if (connect(server, (struct sockaddr *)&place, sizeof place) != 0 || write(server, frame, size) != (ssize_t)size) return 1;
  for (ssize_t got; (got = read(server, answer + held, sizeof answer - held)) > 0;) {
    held += (size_t)got;
    for (size_t at = 0; at + 5 <= held;) {
      size_t body = answer[at + 1] | (size_t)answer[at + 2] << 8 | (size_t)answer[at + 3] << 16;
      if (at + 5 + body > held) break;
      if (answer[at] == 'D') {
        size_t text = answer[at + 10] | (size_t)answer[at + 11] << 8;
        return write(1, answer + at + 14, text) == (ssize_t)text ? answer[at + 5] : 1;
      }
      at += 5 + body;
    }
  }
  return 1;
}
