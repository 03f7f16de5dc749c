/* No answer: the client stands in for the server where something must hold, and otherwise there is silence. */
#include "forward.h"

#include <fcntl.h>
#include <string.h>
#include <unistd.h>

#define OUTPUT_CAP ((uint32_t)16 << 20)

/* The frame as the journal would hold it: the five bytes of message head belong to the wire. */
static int copy_frame(const struct call *call, struct bytes *frame) {
  return bytes_add(frame, call->head.data, 4) && bytes_add(frame, call->head.data + 9, call->head.length - 9) &&
         bytes_add(frame, call->payload.kept.data, call->payload.kept.length);
}

/* 1: the client asked the built-in guard and ran the fail_closed hooks itself, and its answer is printed. */
static int run_client(struct call *call) {
  char node[PATH_SIZE], client[PATH_SIZE], *none[] = {NULL}, *argv[5 + 256];
  int count = 0, answered = 0, started = 0, known = read_node_path(&call->places, node);
  struct bytes frame = {0};
  if (!call->journal_file && !copy_frame(call, &frame)) return 0;
  path_of(client, "%s/runtime/current/client.cjs", call->places.home);
  argv[0] = NULL; /* before the first, as run() wants it */
  argv[2] = client;
  argv[3] = "--fallback";
  argv[4] = call->journal_file ? call->journal_file : "-";
  while (count < 255 && call->registration[count]) argv[5 + count] = call->registration[count], count++;
  argv[5 + count] = NULL;
  for (int attempt = known ? 0 : 1; attempt < 2 && !started; attempt++) {
    int left = ms_until(call->deadline);
    argv[1] = attempt == 0 ? node : "node";
    struct exec exec = {.timeout_ms = (uint32_t)left, .stdout_cap = OUTPUT_CAP, .argv = argv + 1, .cwd = "", .set = none, .unset = none,
                        .input = frame.data, .input_length = (uint32_t)frame.length};
    struct result result;
    run(&exec, call->deadline, &result);
    answered = result.exit_code == 0 && !(result.flags & ~RESULT_STDERR_CUT); /* its stderr is nobody's */
    if (answered) write_whole(1, result.out.data, result.out.length);
    bytes_free(&result.out);
    bytes_free(&result.err);
    started = !(result.flags & RESULT_NOT_STARTED);
  }
  bytes_free(&frame);
  return answered;
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
  if (!last_resort(call, &deny) || (may_start_node && run_client(call)) || !deny.length) return;
  write_whole(1, deny.data, deny.length);
  mark_denied(call);
}
