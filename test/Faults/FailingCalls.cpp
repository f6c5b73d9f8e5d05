//===- FailingCalls.cpp - Makes the Nth call of a kind fail -----*- C++ -*-===//
//
// Part of gnnc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A library for LD_PRELOAD. From the start of `main` on it counts the calls of one kind and makes one, or all from one
// on, fail as the system would. Allocations and threads are functions that it defines itself; system calls are caught
// by a seccomp filter, so that those inside the C library count too. Only the first process is touched: what it starts
// inherits the filter, but has its C library at another place, whose calls are let through.
//
//   GNN_FAIL=KIND       a name in `kinds`, "allocation", "memalign" or "calloc" (these alone) or "thread"
//   GNN_FAIL_AT=N       the Nth call fails; 0 or none: they are only counted
//   GNN_FAIL_ON=1       all later ones fail as well
//   GNN_FAIL_COUNT=F    a file of 8 bytes, in which the number of calls is kept
//
//===----------------------------------------------------------------------===//

#include <atomic>
#include <cerrno>
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <dlfcn.h>
#include <fcntl.h>
#include <link.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <pthread.h>
#include <signal.h>
#include <spawn.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <ucontext.h>
#include <unistd.h>
#include <utility>

extern "C" {
void *__libc_malloc(size_t size);
void *__libc_calloc(size_t count, size_t size);
void *__libc_realloc(void *data, size_t size);
void *__libc_memalign(size_t alignment, size_t size);
}

namespace {

/// A kind of system calls, and how each of them fails.
struct Kind {
  const char *name;
  int error;
  long calls[8]; // ends with the first -1
};

constexpr Kind kinds[] = {
    {"open", EMFILE, {SYS_open, SYS_openat, SYS_creat, SYS_pipe2, SYS_memfd_create, -1}},
    {"read", EIO, {SYS_read, SYS_pread64, SYS_readv, SYS_preadv, SYS_getdents64, -1}},
    {"write", ENOSPC, {SYS_write, SYS_pwrite64, SYS_writev, SYS_pwritev, SYS_sendfile, SYS_copy_file_range, -1}},
    {"truncate", ENOSPC, {SYS_ftruncate, SYS_truncate, SYS_fallocate, -1}},
    {"sync", EIO, {SYS_fsync, SYS_fdatasync, SYS_msync, SYS_syncfs, -1}},
    {"close", EIO, {SYS_close, -1}},
    {"rename", EACCES, {SYS_rename, SYS_renameat, SYS_renameat2, SYS_link, SYS_linkat, -1}},
    {"stat", EACCES, {SYS_stat, SYS_lstat, SYS_fstat, SYS_newfstatat, SYS_statx, SYS_access, SYS_faccessat, -1}},
    {"mkdir", ENOSPC, {SYS_mkdir, SYS_mkdirat, -1}},
    {"mmap", ENOMEM, {SYS_mmap, SYS_mremap, SYS_brk, -1}},
};

enum class Memory { None, Any, Aligned, Zeroed };

struct Plan {
  Memory allocations = Memory::None;
  bool threads = false;
  const Kind *kind = nullptr;
  uint64_t at = 0;
  bool goesOn = false;
};

Plan plan;
bool isCatching = false; // the signal of stopped calls
std::atomic<uint64_t> ownCount{0};
std::atomic<uint64_t> *count = &ownCount;

/// Whether the calls of this thread are let through, uncounted.
thread_local bool isSpared = false;

bool failsNow() {
  if (isSpared)
    return false;
  uint64_t number = ++*count;
  return plan.at && (plan.goesOn ? number >= plan.at : number == plan.at);
}

bool failsAllocation(Memory kind = Memory::Any) {
  if (plan.allocations == Memory::None || (plan.allocations != Memory::Any && plan.allocations != kind) || !failsNow())
    return false;
  errno = ENOMEM;
  return true;
}

/// Does the call that the filter stopped, or makes it fail. syscall() itself is let through.
void onStoppedCall(int, siginfo_t *info, void *context) {
  greg_t *registers = static_cast<ucontext_t *>(context)->uc_mcontext.gregs;
  int saved = errno;
  long result = -plan.kind->error;
  bool fails = failsNow();
  if (!fails || info->si_syscall == SYS_close) { // the system closes the file all the same
    result = syscall(info->si_syscall, registers[REG_RDI], registers[REG_RSI], registers[REG_RDX], registers[REG_R10],
                     registers[REG_R8], registers[REG_R9]);
    if (result == -1)
      result = -errno;
  }
  if (fails && info->si_syscall == SYS_close) {
    result = -plan.kind->error;
  } else if (fails && info->si_syscall == SYS_brk) {
    result = 0; // the break stays where it is
  }
  registers[REG_RAX] = result;
  errno = saved;
}

[[noreturn]] void giveUp(const char *what) {
  std::fprintf(stderr, "failing-calls: %s: %s\n", what, std::strerror(errno));
  std::_Exit(99);
}

/// The code of a library, in pages: the numbers of 32 bits that a filter computes with hold them.
struct CodePages {
  uint32_t begin = 0, end = 0;
};

constexpr unsigned pageBits = 12;

/// Of the C library and of the dynamic linker, which make all the calls there are.
struct SystemCode {
  CodePages pages[2];
  size_t number = 0;
};

int addSystemCode(dl_phdr_info *library, size_t, void *data) {
  const char *slash = std::strrchr(library->dlpi_name, '/'), *name = slash ? slash + 1 : library->dlpi_name;
  if (std::strncmp(name, "libc.so", 7) != 0 && std::strncmp(name, "ld-linux", 8) != 0)
    return 0;
  auto &code = *static_cast<SystemCode *>(data);
  for (int i = 0; i < library->dlpi_phnum; ++i)
    if (const ElfW(Phdr) &part = library->dlpi_phdr[i]; part.p_type == PT_LOAD && (part.p_flags & PF_X)) {
      uint64_t begin = library->dlpi_addr + part.p_vaddr, last = begin + part.p_memsz - 1;
      code.pages[code.number++] = {uint32_t(begin >> pageBits), uint32_t(last >> pageBits) + 1};
    }
  return 0;
}

/// Stops all system calls of the kind that this process makes, but those of syscall().
void stopCalls(const Kind &kind) {
  struct sigaction action {};
  action.sa_sigaction = onStoppedCall;
  action.sa_flags = SA_SIGINFO | SA_NODEFER | SA_RESTART;
  if (sigaction(SIGSYS, &action, nullptr) < 0)
    giveUp("sigaction");
  isCatching = true;

  SystemCode code;
  dl_iterate_phdr(addSystemCode, &code);
  if (code.number != 2)
    giveUp("the C library and the dynamic linker are not as expected");
  constexpr uint32_t functionBytes = 64; // of syscall()
  uint64_t gate = reinterpret_cast<uint64_t>(&syscall);
  sock_filter program[48];
  uint16_t size = 0;
  auto add = [&](sock_filter step) { program[size++] = step; };
  auto load = [&](size_t offset) { add(BPF_STMT(BPF_LD | BPF_W | BPF_ABS, uint32_t(offset))); };
  uint8_t number = 0;
  while (kind.calls[number] >= 0)
    ++number;
  load(offsetof(seccomp_data, nr));
  for (uint8_t i = 0; i < number; ++i)
    add(BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, uint32_t(kind.calls[i]), uint8_t(number - i), 0));
  add(BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW));
  load(offsetof(seccomp_data, instruction_pointer) + 4);
  add(BPF_STMT(BPF_ALU | BPF_LSH | BPF_K, 32 - pageBits));
  add(BPF_STMT(BPF_MISC | BPF_TAX, 0));
  load(offsetof(seccomp_data, instruction_pointer));
  add(BPF_STMT(BPF_ALU | BPF_RSH | BPF_K, pageBits));
  add(BPF_STMT(BPF_ALU | BPF_OR | BPF_X, 0)); // the page
  add(BPF_JUMP(BPF_JMP | BPF_JGE | BPF_K, code.pages[0].begin, 0, 1));
  add(BPF_JUMP(BPF_JMP | BPF_JGE | BPF_K, code.pages[0].end, 0, 3));
  add(BPF_JUMP(BPF_JMP | BPF_JGE | BPF_K, code.pages[1].begin, 0, 1));
  add(BPF_JUMP(BPF_JMP | BPF_JGE | BPF_K, code.pages[1].end, 0, 1));
  add(BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW));
  load(offsetof(seccomp_data, instruction_pointer) + 4);
  add(BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, uint32_t(gate >> 32), 0, 4));
  load(offsetof(seccomp_data, instruction_pointer));
  add(BPF_JUMP(BPF_JMP | BPF_JGE | BPF_K, uint32_t(gate), 0, 2));
  add(BPF_JUMP(BPF_JMP | BPF_JGE | BPF_K, uint32_t(gate) + functionBytes, 1, 0));
  add(BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW));
  add(BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_TRAP));
  sock_fprog filter{size, program};
  if (prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) < 0 || prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &filter) < 0)
    giveUp("seccomp");
}

void start() {
  const char *kind = std::getenv("GNN_FAIL"), *at = std::getenv("GNN_FAIL_AT"), *file = std::getenv("GNN_FAIL_COUNT");
  unsetenv("LD_PRELOAD");
  if (!kind)
    return;
  if (file) {
    int descriptor = open(file, O_RDWR | O_CLOEXEC);
    void *shared = mmap(nullptr, sizeof(*count), PROT_READ | PROT_WRITE, MAP_SHARED, descriptor, 0);
    if (descriptor < 0 || shared == MAP_FAILED)
      giveUp(file);
    close(descriptor);
    count = static_cast<std::atomic<uint64_t> *>(shared);
  }
  plan.at = at ? std::strtoull(at, nullptr, 10) : 0;
  plan.goesOn = std::getenv("GNN_FAIL_ON") != nullptr;
  for (const Kind &known : kinds)
    if (std::strcmp(known.name, kind) == 0)
      plan.kind = &known;
  plan.threads = std::strcmp(kind, "thread") == 0;
  Memory allocations = Memory::None;
  for (auto [name, memory] :
       {std::pair("allocation", Memory::Any), {"memalign", Memory::Aligned}, {"calloc", Memory::Zeroed}})
    if (std::strcmp(kind, name) == 0)
      allocations = memory;
  if (!plan.kind && !plan.threads && allocations == Memory::None)
    giveUp("GNN_FAIL is of no kind that there is");
  if (plan.kind)
    stopCalls(*plan.kind);
  plan.allocations = allocations; // the last thing: what was done above is not counted
}

/// What a child does with its descriptors before its program runs: `path` is opened as `descriptor`, or `from` copied.
struct ChildFile {
  int descriptor, from;
  const char *path;
  int flags;
  mode_t mode;
};

ChildFile childFiles[8];
size_t numChildFiles = 0;

void prepareChildFiles() {
  for (size_t i = 0; i < numChildFiles; ++i) {
    const ChildFile &file = childFiles[i];
    int from = file.path ? open(file.path, file.flags, file.mode) : file.from;
    if (dup2(from, file.descriptor) < 0)
      _exit(127);
  }
}

using Main = int (*)(int, char **, char **);
Main program;

int startAndRun(int argc, char **argv, char **environment) {
  start();
  return program(argc, argv, environment);
}

} // namespace

#pragma GCC visibility push(default)
extern "C" {

void *malloc(size_t size) { return failsAllocation() ? nullptr : __libc_malloc(size); }
void *calloc(size_t number, size_t size) {
  return failsAllocation(Memory::Zeroed) ? nullptr : __libc_calloc(number, size);
}
void *realloc(void *data, size_t size) { return failsAllocation() ? nullptr : __libc_realloc(data, size); }
void *memalign(size_t alignment, size_t size) {
  return failsAllocation(Memory::Aligned) ? nullptr : __libc_memalign(alignment, size);
}
void *aligned_alloc(size_t alignment, size_t size) { return memalign(alignment, size); }
int posix_memalign(void **data, size_t alignment, size_t size) {
  void *result = memalign(alignment, size);
  if (!result)
    return ENOMEM;
  *data = result;
  return 0;
}

int pthread_create(pthread_t *thread, const pthread_attr_t *attributes, void *(*body)(void *), void *argument) {
  using Create = int (*)(pthread_t *, const pthread_attr_t *, void *(*)(void *), void *);
  static auto real = reinterpret_cast<Create>(dlsym(RTLD_NEXT, "pthread_create"));
  return plan.threads && failsNow() ? EAGAIN : real(thread, attributes, body, argument);
}

/// glibc 2.36 crashes where a library calls dlsym without memory while dlopen initialises it.
void *dlopen(const char *file, int flags) {
  using Open = void *(*)(const char *, int);
  static auto real = reinterpret_cast<Open>(dlsym(RTLD_NEXT, "dlopen"));
  bool before = std::exchange(isSpared, plan.allocations != Memory::None || isSpared);
  void *library = real(file, flags);
  isSpared = before;
  return library;
}

/// The signal of a stopped call must come through: the system ends a program that holds it back. What holds all back is
/// the runtime around oneDNN, which writes code at its first product: version 2.6 does so without memory too, to 0.
int pthread_sigmask(int how, const sigset_t *set, sigset_t *before) {
  using Mask = int (*)(int, const sigset_t *, sigset_t *);
  static auto real = reinterpret_cast<Mask>(dlsym(RTLD_NEXT, "pthread_sigmask"));
  if (!set)
    return real(how, set, before);
  static std::atomic<bool> isFirst{true};
  isSpared = how == SIG_SETMASK && sigismember(set, SIGSYS) && isFirst.exchange(false);
  sigset_t others = *set;
  sigdelset(&others, SIGSYS);
  return real(how, &others, before);
}

/// libgomp ends the process itself where it has no memory for the settings of a thread, in any thread.
void omp_set_num_threads(int number) {
  static auto real = reinterpret_cast<void (*)(int)>(dlsym(RTLD_NEXT, "omp_set_num_threads"));
  bool before = std::exchange(isSpared, true);
  real(number);
  isSpared = before;
}

/// The C library's child holds back all signals while it opens its files: it would be ended by a call that is stopped.
/// So where calls are stopped it is ours.
int posix_spawn(pid_t *child, const char *path, const posix_spawn_file_actions_t *files,
                const posix_spawnattr_t *attributes, char *const arguments[], char *const environment[]) {
  using Spawn = int (*)(pid_t *, const char *, const posix_spawn_file_actions_t *, const posix_spawnattr_t *,
                        char *const *, char *const *);
  static auto real = reinterpret_cast<Spawn>(dlsym(RTLD_NEXT, "posix_spawn"));
  if (!isCatching)
    return real(child, path, files, attributes, arguments, environment);
  *child = fork();
  if (*child < 0)
    return errno;
  if (*child > 0)
    return 0;
  isSpared = true;
  if (files)
    prepareChildFiles();
  execve(path, arguments, environment);
  _exit(127);
}

int posix_spawn_file_actions_init(posix_spawn_file_actions_t *files) {
  static auto real =
      reinterpret_cast<int (*)(posix_spawn_file_actions_t *)>(dlsym(RTLD_NEXT, "posix_spawn_file_actions_init"));
  numChildFiles = 0;
  return real(files);
}

int posix_spawn_file_actions_addopen(posix_spawn_file_actions_t *files, int descriptor, const char *path, int flags,
                                     mode_t mode) {
  using Add = int (*)(posix_spawn_file_actions_t *, int, const char *, int, mode_t);
  static auto real = reinterpret_cast<Add>(dlsym(RTLD_NEXT, "posix_spawn_file_actions_addopen"));
  childFiles[numChildFiles++] = {descriptor, /*from=*/-1, path, flags, mode};
  return real(files, descriptor, path, flags, mode);
}

int posix_spawn_file_actions_adddup2(posix_spawn_file_actions_t *files, int from, int descriptor) {
  using Add = int (*)(posix_spawn_file_actions_t *, int, int);
  static auto real = reinterpret_cast<Add>(dlsym(RTLD_NEXT, "posix_spawn_file_actions_adddup2"));
  childFiles[numChildFiles++] = {descriptor, from, /*path=*/nullptr, 0, 0};
  return real(files, from, descriptor);
}

/// LLVM handles every signal that ends a program.
int sigaction(int signal, const struct sigaction *action, struct sigaction *before) {
  using Action = int (*)(int, const struct sigaction *, struct sigaction *);
  static auto real = reinterpret_cast<Action>(dlsym(RTLD_NEXT, "sigaction"));
  return real(signal, signal == SIGSYS && isCatching ? nullptr : action, before);
}

int __libc_start_main(Main main, int argc, char **argv, void (*init)(), void (*fini)(), void (*loaderFini)(),
                      void *stackEnd) {
  using Start = int (*)(Main, int, char **, void (*)(), void (*)(), void (*)(), void *);
  program = main;
  auto real = reinterpret_cast<Start>(dlsym(RTLD_NEXT, "__libc_start_main"));
  return real(startAndRun, argc, argv, init, fini, loaderFini, stackEnd);
}

} // extern "C"
#pragma GCC visibility pop
