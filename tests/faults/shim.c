// Loaded before the C library, makes files and folders behave as on a machine where something is wrong. Permissions do not
// stop root, and a full disk needs a file system of its own, so functions fail here instead.
//
// `FAULTS` has a rule in each line, with tabs between its words. A rule holds for a path and for all below it:
//   unreadable PATH     opening fails as without permission
//   absent PATH         there is no such file, and none can be made
//   read-only PATH      nothing can be made or written
//   full PATH           files can be made, but nothing fits into them
//   unlisted PATH       the folder itself cannot be listed, as if it were not there
//   replaced PATH FILE  FILE is opened instead
#define _GNU_SOURCE
#include <dirent.h>
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

enum { RULES = 16 };
struct rule {
  char kind[16];
  char path[512];
  char file[512];
};
static struct rule rules[RULES];
static int count = -1;

static void read_rules(void) {
  const char *text = getenv("FAULTS");
  int read = 0;
  while (text && *text && read < RULES) {
    struct rule *rule = &rules[read];
    if (sscanf(text, "%15[^\t\n]\t%511[^\t\n]\t%511[^\t\n]", rule->kind, rule->path, rule->file) >= 2)
      read++;
    text = strchr(text, '\n');
    text = text ? text + 1 : NULL;
  }
  count = read;
}

// Returns the rule of this kind for a path.
static const struct rule *rule_for(const char *kind, const char *path) {
  if (count < 0)
    read_rules();
  for (int i = 0; i < count; i++) {
    size_t length = strlen(rules[i].path);
    int is_below = !strncmp(path, rules[i].path, length) && (path[length] == 0 || path[length] == '/');
    if (is_below && !strcmp(rules[i].kind, kind))
      return &rules[i];
  }
  return NULL;
}

// Returns the error that opening a path gives, or 0.
static int fault(const char *path, int flags) {
  if (rule_for("unreadable", path))
    return EACCES;
  if (rule_for("absent", path))
    return ENOENT;
  int writes = (flags & O_ACCMODE) != O_RDONLY || flags & O_CREAT;
  return writes && rule_for("read-only", path) ? EROFS : 0;
}

static int opened(const char *name, int folder, const char *path, int flags, mode_t mode) {
  int (*next)(int, const char *, int, ...) = dlsym(RTLD_NEXT, name);
  int error = fault(path, flags);
  if (error) {
    errno = error;
    return -1;
  }
  const struct rule *replaced = rule_for("replaced", path);
  return next(folder, replaced ? replaced->file : path, flags, mode);
}

#define MODE(flags)                                  \
  mode_t mode = 0;                                   \
  if (flags & (O_CREAT | O_TMPFILE)) {               \
    va_list rest;                                    \
    va_start(rest, flags);                           \
    mode = va_arg(rest, mode_t);                     \
    va_end(rest);                                    \
  }

int open(const char *path, int flags, ...) {
  MODE(flags)
  return opened("openat", AT_FDCWD, path, flags, mode);
}

int open64(const char *path, int flags, ...) {
  MODE(flags)
  return opened("openat64", AT_FDCWD, path, flags, mode);
}

int openat(int folder, const char *path, int flags, ...) {
  MODE(flags)
  return opened("openat", folder, path, flags, mode);
}

int openat64(int folder, const char *path, int flags, ...) {
  MODE(flags)
  return opened("openat64", folder, path, flags, mode);
}

DIR *opendir(const char *path) {
  DIR *(*next)(const char *) = dlsym(RTLD_NEXT, "opendir");
  const struct rule *unlisted = rule_for("unlisted", path);
  int error = unlisted && !strcmp(unlisted->path, path) ? ENOENT : fault(path, O_RDONLY);
  if (error) {
    errno = error;
    return NULL;
  }
  return next(path);
}

int mkdir(const char *path, mode_t mode) {
  int (*next)(const char *, mode_t) = dlsym(RTLD_NEXT, "mkdir");
  if (rule_for("absent", path) || rule_for("read-only", path)) {
    errno = EROFS;
    return -1;
  }
  return next(path, mode);
}

int statx(int folder, const char *restrict path, int flags, unsigned mask, struct statx *restrict out) {
  int (*next)(int, const char *, int, unsigned, struct statx *) = dlsym(RTLD_NEXT, "statx");
  if (rule_for("absent", path)) {
    errno = ENOENT;
    return -1;
  }
  return next(folder, path, flags, mask, out);
}

ssize_t write(int file, const void *bytes, size_t size) {
  ssize_t (*next)(int, const void *, size_t) = dlsym(RTLD_NEXT, "write");
  if (count < 0)
    read_rules();
  if (count > 0) {
    char link[64], path[512];
    snprintf(link, sizeof link, "/proc/self/fd/%d", file);
    ssize_t length = readlink(link, path, sizeof path - 1);
    if (length > 0) {
      path[length] = 0;
      if (rule_for("full", path)) {
        errno = ENOSPC;
        return -1;
      }
    }
  }
  return next(file, bytes, size);
}
