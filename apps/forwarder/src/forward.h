/* piton-forward: what an agent spawns. docs/protocol.md says what it does, byte by byte. */
#ifndef PITON_FORWARD_H
#define PITON_FORWARD_H

#ifdef __APPLE__
#define _DARWIN_C_SOURCE
#else
#define _GNU_SOURCE
#endif

#include <errno.h>
#include <signal.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>
#include <sys/uio.h>

#ifndef PITON_VERSION
#define PITON_VERSION "0.0.0"
#endif

#define PATH_SIZE 4352 /* PATH_MAX and what we put behind a home */
#define PAYLOAD_LIMIT ((size_t)32 << 20)
#define MESSAGE_LIMIT ((uint32_t)64 << 20)
#define FRAME_RESENT 4
#define NO_DEADLINE INT64_MAX

/* A page that is touched for the first time costs more than a system call. What every event writes to lies together,
   in the page of initialised data, which is there anyway. */
#ifdef __ELF__
#define HOT __attribute__((section(".data")))
#else
#define HOT
#endif

/* ---- bytes.c: a buffer that grows, and what everybody needs of the system */

struct bytes {
  unsigned char *data;
  size_t length, capacity;
  int owned; /* from malloc */
};
int bytes_room(struct bytes *bytes, size_t more); /* 0: no memory */
int bytes_add(struct bytes *bytes, const void *data, size_t length);
void bytes_free(struct bytes *bytes);
/* A usual event fits one static piece. */
void bytes_borrow(struct bytes *bytes);       /* all that is left of it */
void bytes_settle(const struct bytes *bytes); /* what it does not use is the next one's */

void put_number(unsigned char *at, uint64_t value, int width); /* the lowest byte first */

int64_t now_us(void);  /* monotonic */
int64_t wall_us(void); /* since 1970 */
int ms_until(int64_t until_us); /* rounded up, for poll(); -1 for NO_DEADLINE */
int path_of(char out[PATH_SIZE], const char *format, ...) __attribute__((format(printf, 2, 3))); /* 0: too long */
int make_pipe(int fds[2]); /* close-on-exec; 0: failed */
int write_whole(int fd, const void *data, size_t length);
int read_small_file(const char *path, struct bytes *into, size_t limit); /* 0: not there or not readable */
void stdio_to_null(void);
void close_from(int lowest);

/* ---- places.c */

struct places {
  char *home;
  char *environment; /* <home>/env/<hash> */
  char sockets[64];
  char hash[17];
};
void hash_text(char out[17], const char *text);
int places_find(struct places *places, const char *argv0); /* 0: this file does not lie in a runtime */
int home_is_ours(const struct places *places);
int make_environment(const struct places *places); /* <home>/env/<hash>/journal; 0: failed */
int read_node_path(const struct places *places, char out[PATH_SIZE]); /* 0: not recorded */
int find_node(const char *recorded, char out[PATH_SIZE]); /* on PATH, for when the recorded one has gone; 0: none that may be trusted */

/* ---- stdin.c */

struct value_count { /* of JSON we know brackets and quotes, no more */
  uint64_t depth;
  unsigned char in_string, escaped, begun;
};
void count_value(struct value_count *count, const unsigned char *data, size_t length);
int value_complete(const struct value_count *count);

struct payload {
  struct bytes kept;
  uint64_t size; /* as sent, before any cut */
  int late;      /* the deadline came before the end */
};
void read_payload(int fd, int64_t deadline, struct payload *payload);

/* ---- one event */

/* How an attempt to reach the server, or the talk with it, ended. */
enum end { ANSWERED, LOST, HUNG, REFUSED, LATE, ABSENT, FORBIDDEN };

struct call {
  struct places places;
  char **registration; /* agent, native event, scope, timeout, variables, arguments… */
  int64_t began, wall, deadline;
  int terminal;
  struct payload payload;
  struct bytes head;  /* magic, message head, every field but the payload's bytes */
  size_t flags_at;    /* of the flags' value in it */
  const char *cwd;
  char stamp[27];
  char *journal_file; /* our own, or NULL */
  int acked;
  enum end reached;   /* how the first attempt to connect ended */
  int fd;             /* and its socket */
  int detached;       /* the agent has its answer */
};

/* ---- git-hook.c */
const char *git_hook_name(const char *argv0); /* NULL: called by another name */
void git_hook(struct call *call, char **registration);

/* ---- amend.c */
int line_amends(const char *words, size_t length); /* each ends with 0; -1: not git's */
int git_amends(void); /* the git that we are a hook of; -1: nobody knows */

/* ---- frame.c */
void find_cwd(struct call *call);
int frame_build(struct call *call); /* 0: no memory */
void frame_mark_resent(struct call *call);

/* ---- journal.c */
int journal_write(struct call *call); /* 0: could not */
void journal_remove(struct call *call);

/* ---- message.c: what the server says, every length checked */

struct message {
  unsigned char type;
  unsigned char *body;
  uint32_t length;
};
enum cut { CUT_WHOLE, CUT_SHORT, CUT_BROKEN };
enum cut message_cut(unsigned char *data, size_t length, struct message *message);

struct done {
  int32_t exit_code;
  unsigned char more;
  const unsigned char *out, *err;
  uint32_t out_length, err_length;
};
int read_done(const struct message *message, struct done *done);

struct exec {
  uint32_t id, timeout_ms, stdout_cap, stderr_cap;
  char **argv; /* argv[-1] is ours: room for the shell of a script without #! */
  char *cwd;   /* empty: stay */
  char **set, **unset;
  const unsigned char *input;
  uint32_t input_length;
  int has_nul; /* a text cannot be handed over */
  int knows_silence;
  struct done if_silent; /* then: what to print where the command exits with 0 and prints nothing */
};
int read_exec(const struct message *message, struct exec *exec); /* 0: malformed. Works inside the message's bytes */
void exec_free(struct exec *exec);
char **list_room(size_t count); /* NULL: no memory. Gone with the command that it is for */
void list_free(char **list);

/* ---- child.c */

enum { WATCHED = 4 };
struct agent_signals { /* as they were before we watched */
  struct sigaction actions[WATCHED];
  sigset_t mask;
};
extern struct sigaction agent_sigpipe; /* as it was before we ignored it */
void watch_signals(struct agent_signals *before, int pipe); /* each arrives there as a byte */
void restore_signals(const struct agent_signals *before);

struct failure { /* why the child could not become the command; in memory that both see */
  volatile int error, directory;
};
struct failure *failure_open(void); /* NULL: no memory */
void failure_close(struct failure *failure);
char **child_environment(const struct exec *exec);
pid_t start_child(const struct exec *exec, char **env, const int stdio[3], const struct agent_signals *before, struct failure *failure);

/* ---- tree.c */
int list_children(pid_t *list, int size);
void kill_tree(pid_t leader, const pid_t *spared, int spared_count);

/* ---- run.c */

enum { RESULT_TIMED_OUT = 1, RESULT_STDOUT_CUT = 2, RESULT_STDERR_CUT = 4, RESULT_NOT_STARTED = 8, RESULT_ANSWERED = 16 };
struct result {
  int32_t exit_code;
  unsigned char flags;
  uint64_t duration_us;
  struct bytes out, err;
  int passed_signal; /* a signal that was meant for us and that the command got */
};
void run(const struct exec *exec, int64_t deadline, struct result *result);

/* ---- wire.c */

enum end wire_connect(const struct places *places, int64_t deadline, int *fd);
enum end converse(struct call *call, int fd, struct iovec *parts, int count); /* prints the answer itself */
int send_only(struct call *call, int fd, struct iovec *parts, int count); /* waits for no answer; 0: not all of it was taken */
enum { STAMP_LENGTH = 26 };
void attach(struct call *call, const void *stamp); /* of an envelope or a branch that waits */

/* ---- server-start.c */
int start_server(const struct places *places, int wait_ms); /* 0, 75: there is one, 70: failed */
int may_start_server(const struct places *places); /* nobody has, and the last start did not fail just now */
_Noreturn void serve_here(const struct places *places); /* in the foreground; exits with the same */
enum end reach_server(struct call *call, int *fd);

/* ---- last-resort.c */
int last_resort(const struct call *call, struct bytes *deny); /* 1: the stand-in is to be asked; what to print where it cannot be */

/* ---- fallback.c */
int fall_back(struct call *call, int may_start_node); /* the code to exit with */

#endif
