/* No answer: silence, unless a fail_closed hook could have run here. */
#include "forward.h"

#include <fcntl.h>
#include <string.h>
#include <unistd.h>

#define DENY_LIMIT ((size_t)1 << 20)
#define OUTPUT_CAP ((uint32_t)16 << 20)

/* The native deny of this registration, which the server keeps while a hook must hold there. */
static int read_deny(const struct call *call, struct bytes *deny) {
  char path[PATH_SIZE];
  const char *agent = call->registration[0], *event = call->registration[1];
  if (strchr(agent, '/') || strchr(event, '/') || !path_of(path, "%s/deny/%s.%s", call->places.environment, agent, event)) return 0;
  return read_small_file(path, deny, DENY_LIMIT);
}

/* 1: the client ran the fail_closed hooks itself, and its answer is printed. */
static int run_client(struct call *call) {
  char node[PATH_SIZE], client[PATH_SIZE], *none[] = {NULL}, *argv[5 + 256];
  int count = 0, known = read_node_path(&call->places, node);
  path_of(client, "%s/runtime/current/client.cjs", call->places.home);
  argv[0] = NULL; /* before the first, as run() wants it */
  argv[2] = client;
  argv[3] = "--fallback";
  argv[4] = call->journal_file;
  while (count < 255 && call->registration[count]) argv[5 + count] = call->registration[count], count++;
  argv[5 + count] = NULL;
  for (int attempt = known ? 0 : 1; attempt < 2; attempt++) {
    int left = ms_until(call->deadline);
    argv[1] = attempt == 0 ? node : "node";
    struct exec exec = {.timeout_ms = (uint32_t)left, .stdout_cap = OUTPUT_CAP, .argv = argv + 1, .cwd = "", .set = none, .unset = none};
    struct result result;
    run(&exec, call->deadline, &result);
    int answered = result.exit_code == 0 && !(result.flags & ~RESULT_STDERR_CUT); /* its stderr is nobody's */
    if (answered) write_whole(1, result.out.data, result.out.length);
    bytes_free(&result.out);
    bytes_free(&result.err);
    if (!(result.flags & RESULT_NOT_STARTED)) return answered;
  }
  return 0;
}

/* For the server that will read the frame: the agent was told the deny that lies ready for it. */
static void mark_denied(const struct call *call) {
  char path[PATH_SIZE];
  if (!call->journal_file || !path_of(path, "%s.denied", call->journal_file)) return;
  int file = open(path, O_WRONLY | O_CREAT | O_CLOEXEC, 0600);
  if (file >= 0) close(file);
}

void fall_back(struct call *call, int may_start_node) {
  struct bytes deny = {0};
  if (!read_deny(call, &deny)) return;
  if (may_start_node && call->journal_file && run_client(call)) return;
  write_whole(1, deny.data, deny.length);
  mark_denied(call);
}
