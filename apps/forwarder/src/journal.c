/* The frame as a file of our own, when no server has said that it holds it. */
#include "forward.h"

#include <fcntl.h>
#include <stdio.h>
#include <sys/stat.h>
#include <unistd.h>

int journal_write(struct call *call) {
  static char final[PATH_SIZE];
  char made[PATH_SIZE];
  const char *environment = call->places.environment;
  if (!path_of(made, "%s/journal/.%s.%ld.tmp", environment, call->stamp, (long)getpid())) return 0;
  if (!path_of(final, "%s/journal/%s.%ld.frame", environment, call->stamp, (long)getpid())) return 0;
  int fd = open(made, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC | O_NOFOLLOW, 0600);
  if (fd < 0 && errno == ENOENT && make_environment(&call->places))
    fd = open(made, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC | O_NOFOLLOW, 0600);
  if (fd < 0) return 0;
  /* The magic and the body; the five bytes of message head between them belong to the wire. */
  int whole = write_whole(fd, call->head.data, 4) && write_whole(fd, call->head.data + 9, call->head.length - 9) &&
              write_whole(fd, call->payload.kept.data, call->payload.kept.length);
  if (close(fd) != 0 || !whole || rename(made, final) != 0) {
    unlink(made);
    return 0;
  }
  call->journal_file = final;
  return 1;
}

void journal_remove(struct call *call) {
  if (call->journal_file) unlink(call->journal_file); /* or a server has claimed it */
  call->journal_file = NULL;
}
