/* No answer: the client stands in for the server where something must hold, and otherwise there is silence. */
#include "forward.h"

#include <fcntl.h>
#include <string.h>
#include <unistd.h>

#define OUTPUT_CAP ((uint32_t)16 << 20)
#define REASON_CAP ((uint32_t)64 << 10)
#define REFUSED 2 /* some agents read nothing but this code */

/* The frame as the journal would hold it: the five bytes of message head belong to the wire. */
static int copy_frame(const struct call *call, struct bytes *frame) {
  return bytes_add(frame, call->head.data, 4) && bytes_add(frame, call->head.data + 9, call->head.length - 9) &&
         bytes_add(frame, call->payload.kept.data, call->payload.kept.length);
}

/* The client asked the built-in guard and ran the fail_closed hooks itself, and its answer is printed: the code to exit with, or -1. */
static int run_client(struct call *call) {
  char node[PATH_SIZE], other[PATH_SIZE], client[PATH_SIZE], *none[] = {NULL}, *argv[5 + 256];
  int count = 0, code = -1, started = 0, known = read_node_path(&call->places, node);
  struct bytes frame = {0};
  if (!call->journal_file && !copy_frame(call, &frame)) return -1;
  path_of(client, "%s/runtime/current/client.cjs", call->places.home);
  argv[0] = NULL; /* before the first, as run() wants it */
  argv[2] = client;
  argv[3] = "--fallback";
  argv[4] = call->journal_file ? call->journal_file : "-";
  while (count < 255 && call->registration[count]) argv[5 + count] = call->registration[count], count++;
  argv[5 + count] = NULL;
  for (int attempt = known ? 0 : 1; attempt < 2 && !started; attempt++) {
    int left = ms_until(call->deadline);
    if (attempt == 1 && !find_node(node, other)) break;
    argv[1] = attempt == 0 ? node : other;
    struct exec exec = {.timeout_ms = (uint32_t)left, .stdout_cap = OUTPUT_CAP, .stderr_cap = REASON_CAP, .argv = argv + 1, .cwd = "", .set = none, .unset = none,
                        .input = frame.data, .input_length = (uint32_t)frame.length};
    struct result result;
    run(&exec, call->deadline, &result);
    if ((result.exit_code == 0 || result.exit_code == REFUSED) && !(result.flags & ~RESULT_STDERR_CUT)) {
      code = result.exit_code;
      write_whole(1, result.out.data, result.out.length);
      if (code == REFUSED) write_whole(2, result.err.data, result.err.length); /* otherwise its stderr is nobody's */
    }
    bytes_free(&result.out);
    bytes_free(&result.err);
    started = !(result.flags & RESULT_NOT_STARTED);
  }
  bytes_free(&frame);
  return code;
}

/* For the server that will read the frame: the agent was told the deny that lies ready for it. */
static void mark_denied(const struct call *call) {
  char path[PATH_SIZE];
  if (!call->journal_file || !path_of(path, "%s.denied", call->journal_file)) return;
  int file = open(path, O_WRONLY | O_CREAT | O_CLOEXEC, 0600);
  if (file >= 0) close(file);
}

int fall_back(struct call *call, int may_start_node) {
  struct bytes deny = {0};
  int code = -1;
  if (!last_resort(call, &deny)) return 0;
  if (may_start_node) code = run_client(call);
  if (code >= 0) return code;
  if (!deny.length) return 0;
  write_whole(1, deny.data, deny.length);
  mark_denied(call);
  return 0;
}
