/* The talk with the server: send the frame, run what it says, print its answer. */
#include "forward.h"

#include <fcntl.h>
#include <poll.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>
#include <unistd.h>

#define HUNG_US 250000
#define PULSE_US 1000000 /* a machine under load may keep a living server waiting this long */
#define RETRY_US 2000
#define DETACHED_WAIT_US (600 * (int64_t)1000000)

static int is_private(const char *path) {
  struct stat stat;
  if (lstat(path, &stat) != 0) return errno == ENOENT ? 0 : -1;
  return S_ISDIR(stat.st_mode) && stat.st_uid == geteuid() && (stat.st_mode & 077) == 0 ? 1 : -1;
}

/* ANSWERED: connected. ABSENT: nobody listens. FORBIDDEN: the place is not ours, or we are not let through. */
enum end wire_connect(const struct places *places, int64_t deadline, int *fd) {
  struct sockaddr_un address = {.sun_family = AF_UNIX};
  char root[sizeof places->sockets];
  memcpy(root, places->sockets, sizeof root);
  *strrchr(root, '/') = 0;
  for (int level = 0; level < 2; level++) {
    int private = is_private(level ? places->sockets : root);
    if (private <= 0) return private ? FORBIDDEN : ABSENT;
  }
  stpcpy(stpcpy(address.sun_path, places->sockets), "/hook.sock");
#ifdef __linux__
  *fd = socket(AF_UNIX, SOCK_STREAM | SOCK_NONBLOCK | SOCK_CLOEXEC, 0);
#else /* macOS, untested */
  *fd = socket(AF_UNIX, SOCK_STREAM, 0);
  if (*fd >= 0) fcntl(*fd, F_SETFD, FD_CLOEXEC), fcntl(*fd, F_SETFL, O_NONBLOCK);
#endif
  if (*fd < 0) return FORBIDDEN;
  for (;;) {
    if (connect(*fd, (struct sockaddr *)&address, sizeof address) == 0) return ANSWERED;
    int error = errno;
    if (error == EAGAIN || error == EINTR) { /* a full backlog is busy, not dead */
      if (now_us() < deadline) {
        usleep(RETRY_US);
        continue;
      }
    }
    close(*fd);
    *fd = -1;
    if (error == EAGAIN || error == EINTR) return LATE;
    return error == ENOENT || error == ECONNREFUSED ? ABSENT : FORBIDDEN;
  }
}

struct wire {
  struct call *call;
  int fd;
  int heard;         /* anything at all: from then on silence is work, not death */
  int64_t moved;     /* when the last byte did */
  int64_t deadline;
  int answered;      /* what comes now runs detached, with no agent waiting */
  struct bytes in;
  size_t used; /* of `in`: messages already taken */
};

/* Not inlined: its path would make every wait touch another page of stack. */
__attribute__((noinline)) static int pulse_is_fresh(const struct places *places) {
  char path[PATH_SIZE];
  struct stat pulse;
  if (!path_of(path, "%s/pulse", places->environment) || stat(path, &pulse) != 0) return 0;
#ifdef __APPLE__ /* untested */
  struct timespec time = pulse.st_mtimespec;
#else
  struct timespec time = pulse.st_mtim;
#endif
  int64_t age = wall_us() - ((int64_t)time.tv_sec * 1000000 + time.tv_nsec / 1000);
  return age > -PULSE_US && age < PULSE_US;
}

/* ANSWERED: the socket is ready. */
static enum end wait_ready(struct wire *wire, short events) {
  for (;;) {
    int64_t now = now_us(), until = wire->deadline;
    if (now >= until) return LATE;
    if (!wire->heard && wire->moved + HUNG_US < until) {
      until = wire->moved + HUNG_US;
      if (now >= until) {
        if (!pulse_is_fresh(&wire->call->places)) return HUNG;
        wire->moved = now;
        continue;
      }
    }
    struct pollfd ready = {wire->fd, events, 0};
    if (poll(&ready, 1, ms_until(until)) > 0) return ANSWERED;
  }
}

static enum end send_parts(struct wire *wire, struct iovec *parts, int count) {
  while (count > 0) {
    if (parts->iov_len == 0) {
      parts++, count--;
      continue;
    }
    ssize_t sent = writev(wire->fd, parts, count);
    if (sent < 0 && errno == EAGAIN) {
      enum end end = wait_ready(wire, POLLOUT);
      if (end != ANSWERED) return end;
    } else if (sent < 0 && errno != EINTR) {
      return LOST;
    }
    if (sent > 0) wire->moved = now_us();
    for (size_t left = sent > 0 ? (size_t)sent : 0; left > 0;) {
      size_t step = left < parts->iov_len ? left : parts->iov_len;
      parts->iov_base = (char *)parts->iov_base + step;
      parts->iov_len -= step;
      left -= step;
      if (parts->iov_len == 0) parts++, count--;
    }
  }
  return ANSWERED;
}

static enum end receive(struct wire *wire, struct message *message) {
  struct bytes *in = &wire->in;
  for (;;) {
    enum cut cut = message_cut(in->data + wire->used, in->length - wire->used, message);
    if (cut == CUT_BROKEN) return LOST;
    if (cut == CUT_WHOLE) {
      wire->used += 5 + (size_t)message->length;
      wire->heard = 1;
      return ANSWERED;
    }
    if (wire->used) {
      memmove(in->data, in->data + wire->used, in->length - wire->used);
      in->length -= wire->used;
      wire->used = 0;
    }
    if (in->length == in->capacity && !bytes_room(in, 1)) return LOST;
    enum end end = wait_ready(wire, POLLIN);
    if (end != ANSWERED) return end;
    ssize_t got = read(wire->fd, in->data + in->length, in->capacity - in->length);
    if (got > 0) {
      in->length += (size_t)got;
      wire->moved = now_us();
    } else if (got == 0 || (errno != EAGAIN && errno != EINTR)) {
      return LOST;
    }
  }
}

static void give(const struct done *done) {
  write_whole(1, done->out, done->out_length);
  write_whole(2, done->err, done->err_length);
}

/* Nobody need be asked what silence means: the server has said it with the command. */
static int is_silent(const struct wire *wire, const struct exec *exec, const struct result *result) {
  return exec->knows_silence && !wire->answered && result->exit_code == 0 && result->flags == 0 && result->out.length == 0 && !result->passed_signal;
}

static enum end run_and_report(struct wire *wire, const struct message *message) {
  struct exec exec;
  struct result result;
  unsigned char head[26] = {'R'}, err_length[4];
  if (!read_exec(message, &exec)) return LOST;
  run(&exec, wire->answered ? NO_DEADLINE : wire->deadline, &result);
  if (wire->answered) wire->deadline = now_us() + DETACHED_WAIT_US;
  enum end end = LATE;
  if (now_us() < wire->deadline) {
    int silent = is_silent(wire, &exec, &result);
    if (silent) {
      give(&exec.if_silent);
      result.flags |= RESULT_ANSWERED;
    }
    put_number(head + 1, 25 + result.out.length + result.err.length, 4);
    put_number(head + 5, exec.id, 4);
    put_number(head + 9, (uint32_t)result.exit_code, 4);
    head[13] = result.flags;
    put_number(head + 14, result.duration_us, 8);
    put_number(head + 22, result.out.length, 4);
    put_number(err_length, result.err.length, 4);
    struct iovec parts[] = {{head, sizeof head}, {result.out.data, result.out.length}, {err_length, 4}, {result.err.data, result.err.length}};
    end = send_parts(wire, parts, 4);
    if (silent) _exit(exec.if_silent.exit_code & 0xff);
  }
  bytes_free(&result.out);
  bytes_free(&result.err);
  exec_free(&exec);
  if (result.passed_signal) { /* it was meant for us: no further command may start */
    signal(result.passed_signal, SIG_DFL);
    raise(result.passed_signal);
  }
  return end;
}

/* The agent has its answer; what only observes goes on without holding anything of the agent's open. */
static void detach(struct wire *wire, int exit_code) {
  pid_t pid = fork();
  if (pid != 0) _exit(exit_code);
  setsid();
  stdio_to_null();
  if (wire->fd != 3) wire->fd = dup2(wire->fd, 3);
  fcntl(wire->fd, F_SETFD, FD_CLOEXEC);
  close_from(4);
  wire->answered = wire->call->detached = 1;
  wire->deadline = now_us() + DETACHED_WAIT_US;
}

/* A command is to run beside ours: a child takes it, over a connection of its own. */
static enum end branch(struct wire *wire, const struct message *message) {
  if (!wire->answered || message->length != STAMP_LENGTH) return LOST;
  if (fork() != 0) return ANSWERED; /* without a child the server waits in vain, and says so */
  close(wire->fd);
  wire->call->deadline = now_us() + DETACHED_WAIT_US;
  attach(wire->call, message->body);
  _exit(0);
}

enum end converse(struct call *call, int fd, struct iovec *parts, int count) {
  struct wire wire = {.call = call, .fd = fd, .moved = now_us(), .deadline = call->deadline, .answered = call->detached};
  struct message message;
  bytes_borrow(&wire.in); /* a second talk may have it again */
  enum end end = send_parts(&wire, parts, count);
  if (end == LOST) end = ANSWERED; /* it may have said why before it closed */
  while (end == ANSWERED && (end = receive(&wire, &message)) == ANSWERED) {
    struct done done;
    switch (message.type) {
    case 'K':
      call->acked = 1;
      if (!(message.length && message.body[0] & 1)) journal_remove(call);
      break;
    case 'E':
      end = run_and_report(&wire, &message);
      break;
    case 'D':
      if (wire.answered || !read_done(&message, &done)) {
        end = LOST;
        break;
      }
      give(&done);
      if (!done.more) _exit(done.exit_code & 0xff);
      detach(&wire, done.exit_code & 0xff);
      break;
    case 'B':
      end = branch(&wire, &message);
      break;
    case 'X':
      end = REFUSED;
      break;
    default: /* Z, or nothing that we know */
      end = LOST;
    }
  }
  if (wire.answered) _exit(0);
  close(wire.fd);
  bytes_free(&wire.in);
  return end;
}

int send_only(struct call *call, int fd, struct iovec *parts, int count) {
  struct wire wire = {.call = call, .fd = fd, .moved = now_us(), .deadline = call->deadline};
  return send_parts(&wire, parts, count) == ANSWERED;
}

void attach(struct call *call, const void *stamp) {
  unsigned char head[9 + STAMP_LENGTH] = {'P', 'T', 'N', 1, 'A', STAMP_LENGTH};
  int fd;
  memcpy(head + 9, stamp, STAMP_LENGTH);
  struct iovec parts[] = {{head, sizeof head}};
  if (wire_connect(&call->places, call->deadline, &fd) == ANSWERED) converse(call, fd, parts, 1);
}
