/* Where everything lies, computed from where this program lies. packages/contracts/src/places.ts computes the same. */
#include "forward.h"

#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static uint64_t fnv1a(uint64_t hash, const char *data, size_t length) {
  for (size_t i = 0; i < length; i++) hash = (hash ^ (unsigned char)data[i]) * 0x100000001b3u;
  return hash;
}

/* <home>/runtime/<version>/piton-forward: three names off the real path leave the home. */
static int find_home(char *home, size_t size, const char *argv0) {
  ssize_t length = readlink("/proc/self/exe", home, size - 1);
  if (length > 0) {
    home[length] = 0;
  } else { /* no /proc: macOS (untested), or a bare sandbox; registrations hold an absolute path */
    char *real = strchr(argv0, '/') ? realpath(argv0, NULL) : NULL;
    if (!real || strlen(real) >= size) return 0;
    strcpy(home, real);
    free(real);
  }
  for (int names = 0; names < 3; names++) {
    char *slash = strrchr(home, '/');
    if (!slash) return 0;
    *slash = 0;
    if (names == 1) {
      char *runtime = strrchr(home, '/');
      if (!runtime || strcmp(runtime, "/runtime") != 0) return 0;
    }
  }
  return home[0] == '/';
}

/* Digits without printf, which touches pages of its own. */
static char *put_digits(char *at, uint64_t value, unsigned base, int width) {
  char digits[24];
  int count = 0;
  while (value || count < width) digits[count++] = "0123456789abcdef"[value % base], value /= base;
  while (count) *at++ = digits[--count];
  *at = 0;
  return at;
}

void hash_text(char out[17], const char *text) { put_digits(out, fnv1a(0xcbf29ce484222325u, text, strlen(text)), 16, 16); }

int places_find(struct places *places, const char *argv0) {
  static const char *const namespaces[] = {"/proc/self/ns/mnt", "/proc/self/ns/user", "/proc/self/ns/net"};
  struct bytes paths;
  bytes_borrow(&paths);
  places->home = (char *)paths.data;
  if (!find_home(places->home, PATH_SIZE - 256, argv0)) return 0;
  size_t length = strlen(places->home);
  uint64_t hash = fnv1a(0xcbf29ce484222325u, places->home, length);
  for (int i = 0; i < 3; i++) {
    char link[64];
    ssize_t size = readlink(namespaces[i], link, sizeof link);
    if (size <= 0) size = 1, link[0] = '-';
    hash = fnv1a(fnv1a(hash, "", 1), link, (size_t)size);
  }
  put_digits(places->hash, hash, 16, 16);
  places->environment = places->home + length + 1;
  char *end = stpcpy(stpcpy(stpcpy(places->environment, places->home), "/env/"), places->hash);
  paths.length = (size_t)(end + 1 - places->home);
  bytes_settle(&paths);

  /* Not TMPDIR or XDG_RUNTIME_DIR: a GUI and a shell must find the same place. */
  uid_t uid = geteuid();
  struct stat stat;
  end = put_digits(stpcpy(places->sockets, "/run/user/"), uid, 10, 1);
  if (lstat(places->sockets, &stat) == 0 && S_ISDIR(stat.st_mode) && stat.st_uid == uid) end = stpcpy(end, "/piton/");
  else end = stpcpy(put_digits(stpcpy(places->sockets, "/tmp/piton-"), uid, 10, 1), "/");
  stpcpy(end, places->hash);
  return 1;
}

int home_is_ours(const struct places *places) {
  struct stat home;
  return stat(places->home, &home) == 0 && home.st_uid == geteuid();
}

int make_environment(const struct places *places) {
  char path[PATH_SIZE];
  path_of(path, "%s/env", places->home);
  mkdir(path, 0700);
  mkdir(places->environment, 0700);
  path_of(path, "%s/journal", places->environment);
  return mkdir(path, 0700) == 0 || errno == EEXIST;
}

int read_node_path(const struct places *places, char out[PATH_SIZE]) {
  char path[PATH_SIZE];
  struct bytes text = {0};
  path_of(path, "%s/runtime/current/node", places->home);
  int found = read_small_file(path, &text, PATH_SIZE - 1);
  out[0] = 0;
  if (found) {
    if (text.length) memcpy(out, text.data, text.length);
    out[text.length] = 0;
    out[strcspn(out, "\r\n")] = 0;
  }
  bytes_free(&text);
  return found && out[0] == '/';
}

static int has_git(const char *directory, size_t length) {
  char path[PATH_SIZE];
  if (length + sizeof "/.git" > sizeof path) return 0;
  memcpy(path, directory, length);
  strcpy(path + length, "/.git");
  return access(path, F_OK) == 0;
}

/* The length of the nearest working tree at or above a path, or 0. */
static size_t tree_around(const char *path, size_t length) {
  while (length) {
    if (has_git(path, length)) return length;
    while (length && path[--length] != '/');
  }
  return 0;
}

/* What lies in a working tree came with a clone, or an agent wrote it: unless the recorded Node lies in it too, as with nvm, which is a clone. */
static int may_hold_node(const char *directory, const char *recorded) {
  size_t tree = tree_around(directory, strlen(directory));
  if (strstr(directory, "/node_modules/")) return 0;
  return !tree || (tree == tree_around(recorded, strlen(recorded)) && strncmp(directory, recorded, tree) == 0);
}

int find_node(const char *recorded, char out[PATH_SIZE]) {
  const char *at = getenv("PATH");
  for (size_t length; at && *at; at += length + (at[length] == ':')) {
    struct stat file;
    length = strcspn(at, ":");
    if (at[0] != '/' || length + sizeof "/node" > PATH_SIZE) continue;
    memcpy(out, at, length);
    out[length] = 0;
    char *real = realpath(out, NULL); /* a link does not hide where it leads */
    int trusted = real && may_hold_node(out, recorded) && may_hold_node(real, recorded);
    free(real);
    strcpy(out + length, "/node");
    if (trusted && stat(out, &file) == 0 && S_ISREG(file.st_mode) && access(out, X_OK) == 0) return 1;
  }
  return 0;
}
