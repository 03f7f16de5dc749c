/* What every root keeps for the time without a server: <home>/last-resort/, a file a root. docs/protocol.md has the format. */
#include "forward.h"

#include <dirent.h>
#include <stdlib.h>
#include <string.h>

#define FILE_LIMIT ((size_t)4 << 20)

static const char first_line[] = "piton last-resort 1\n";

/* 1: it names this registration, and the bytes that it keeps for it are added to `deny`, unless there are some. 0: it does not.
   -1: it is broken. `at` is ended by a NUL, which `end` points to. */
static int search(const char *at, const char *end, const char *name, struct bytes *deny) {
  size_t length = strlen(name);
  int found = 0;
  if (strncmp(at, first_line, sizeof first_line - 1) != 0) return -1;
  at = strchr(at + sizeof first_line - 1, '\n'); /* the root: for people, and for others of us */
  if (!at) return -1;
  for (at++; strcmp(at, ".\n") != 0;) {
    char *line;
    size_t key = strcspn(at, " \n");
    if (at[key] != ' ') return -1;
    unsigned long size = strtoul(at + key + 1, &line, 10);
    if (*line != '\n' || size >= (size_t)(end - line) || line[1 + size] != '\n') return -1;
    if (key == length && memcmp(at, name, key) == 0) {
      found = 1;
      if (size && !deny->length) bytes_add(deny, line + 1, size);
    }
    at = line + 2 + size;
  }
  return found;
}

static int search_file(const char *folder, const char *file, const char *name, struct bytes *deny) {
  char path[PATH_SIZE];
  struct bytes text = {0};
  int found = -1;
  if (path_of(path, "%s/%s", folder, file) && read_small_file(path, &text, FILE_LIMIT) && bytes_add(&text, "", 1))
    found = search((char *)text.data, (char *)text.data + text.length - 1, name, deny);
  bytes_free(&text);
  return found;
}

/* Of every root: a session may be far from its own, and the stand-in can tell. Where the user's file cannot be read, nobody has
   told what must hold, and the stand-in has to look. */
int last_resort(const struct call *call, struct bytes *deny) {
  char folder[PATH_SIZE], name[512];
  const char *agent = call->registration[0], *event = call->registration[1];
  size_t length = strlen(agent);
  if (length + strlen(event) + 2 > sizeof name || !path_of(folder, "%s/last-resort", call->places.home)) return 0;
  memcpy(name, agent, length);
  name[length] = '.';
  strcpy(name + length + 1, event);

  int ask = search_file(folder, "user", name, deny) != 0;
  DIR *all = opendir(folder);
  for (struct dirent *each; all && (each = readdir(all));)
    if (each->d_name[0] != '.' && strcmp(each->d_name, "user") != 0 && search_file(folder, each->d_name, name, deny) != 0) ask = 1;
  if (all) closedir(all);
  return ask;
}
