/* Starts the program of another processor that lies beside it under its emulator, as if it were that program. */
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

int main(int argc, char **argv) {
  static const char ending[] = ".emulated";
  char path[4096];
  ssize_t length = readlink("/proc/self/exe", path, sizeof path - sizeof ending);
  char **args = calloc((size_t)argc + 5, sizeof *args);
  if (length < 0 || !args || argc < 1) return 126;
  memcpy(path + length, ending, sizeof ending);
  args[0] = EMULATOR;
  args[1] = "-0";
  args[2] = argv[0];
  args[3] = path;
  memcpy(args + 4, argv + 1, (size_t)argc * sizeof *args);
  execv(EMULATOR, args);
  return 126;
}
