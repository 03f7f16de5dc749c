/* Runs every candidate once a round, in a fresh random order, so that noise hits all alike.
   usage: spawner ROUNDS WARM-UPS SEED < spec   (a line each: name TAB stdin file TAB program TAB argument …)
   prints a line each: name TAB nanoseconds from the spawn to the reaped child, its output read to the end TAB when it was spawned */
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <spawn.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

enum { CANDIDATES = 32, ARGUMENTS = 32, INPUT = 65536 };

struct candidate {
  char *name, *argv[ARGUMENTS];
  char *input;
  size_t length;
};

extern char **environ;

static void fail(const char *what) {
  fprintf(stderr, "spawner: %s: %s\n", what, strerror(errno));
  exit(1);
}

static uint64_t now(void) {
  struct timespec at;
  clock_gettime(CLOCK_MONOTONIC, &at);
  return (uint64_t)at.tv_sec * 1000000000u + (uint64_t)at.tv_nsec;
}

static uint64_t dice(uint64_t *state) { /* xorshift64* */
  *state ^= *state >> 12;
  *state ^= *state << 25;
  *state ^= *state >> 27;
  return *state * 2685821657736338717u;
}

static void read_input(struct candidate *one, const char *path) {
  int file = open(path, O_RDONLY | O_CLOEXEC);
  if (file < 0) fail(path);
  one->input = malloc(INPUT);
  ssize_t length = one->input ? read(file, one->input, INPUT) : -1;
  if (length < 0 || length == INPUT) fail("input is too long for a pipe");
  one->length = (size_t)length;
  close(file);
}

static int read_spec(struct candidate *all) {
  char *line = NULL;
  size_t size = 0;
  int count = 0;
  for (ssize_t length; (length = getline(&line, &size, stdin)) > 0 && count < CANDIDATES; count++) {
    if (line[length - 1] == '\n') line[length - 1] = 0;
    char *rest = strdup(line);
    all[count].name = strsep(&rest, "\t");
    read_input(&all[count], strsep(&rest, "\t"));
    for (int at = 0; rest && at < ARGUMENTS - 1; at++) all[count].argv[at] = strsep(&rest, "\t");
  }
  free(line);
  return count;
}

static uint64_t run(const struct candidate *one, uint64_t *began) {
  int in[2], out[2], status;
  char drain[65536];
  pid_t child;
  posix_spawn_file_actions_t actions;
  if (pipe2(in, O_CLOEXEC) != 0 || pipe2(out, O_CLOEXEC) != 0) fail("pipe");
  if (write(in[1], one->input, one->length) != (ssize_t)one->length) fail("write");
  close(in[1]);
  posix_spawn_file_actions_init(&actions);
  posix_spawn_file_actions_adddup2(&actions, in[0], 0);
  posix_spawn_file_actions_adddup2(&actions, out[1], 1);
  posix_spawn_file_actions_addopen(&actions, 2, "/dev/null", O_WRONLY, 0);
  *began = now();
  errno = posix_spawn(&child, one->argv[0], &actions, NULL, one->argv, environ);
  if (errno != 0) fail(one->argv[0]);
  close(out[1]);
  while (read(out[0], drain, sizeof drain) > 0) continue;
  if (waitpid(child, &status, 0) != child) fail("waitpid");
  uint64_t took = now() - *began;
  posix_spawn_file_actions_destroy(&actions);
  close(in[0]);
  close(out[0]);
  if (!WIFEXITED(status) || WEXITSTATUS(status) != 0) {
    fprintf(stderr, "spawner: %s ended with %d\n", one->name, status);
    exit(1);
  }
  return took;
}

int main(int count, char **arguments) {
  static struct candidate all[CANDIDATES];
  int order[CANDIDATES];
  if (count != 4) return 2;
  long rounds = atol(arguments[1]), warm = atol(arguments[2]);
  uint64_t state = strtoull(arguments[3], NULL, 10) | 1;
  int candidates = read_spec(all);
  for (long round = 0; round < rounds + warm; round++) {
    for (int at = 0; at < candidates; at++) order[at] = at;
    for (int at = candidates - 1; at > 0; at--) {
      int other = (int)(dice(&state) % (uint64_t)(at + 1)), held = order[at];
      order[at] = order[other];
      order[other] = held;
    }
    for (int at = 0; at < candidates; at++) {
      uint64_t began, took = run(&all[order[at]], &began);
      if (round >= warm) printf("%s\t%llu\t%llu\n", all[order[at]].name, (unsigned long long)took, (unsigned long long)began);
    }
  }
  return 0;
}
