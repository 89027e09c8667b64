/* posix/transfer.h: pread and pwrite that answer −errno.
 *
 * On Linux without glibc's wrappers: those are cancellation points, so that in a program with threads each call
 * switches asynchronous cancellation on and off, and hands its error over in errno. That is 50 instructions of some
 * 150 that a cached read costs, for something that nobody here uses. The sanitizers know the wrappers, not these. */
#ifndef POSIX_TRANSFER_H
#define POSIX_TRANSFER_H

#include <errno.h>
#include <stdint.h>
#include <unistd.h>

#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__) || !defined(__linux__)
#define TRANSFER_BY_WRAPPER 1
#elif defined(__has_feature)
#if __has_feature(address_sanitizer) || __has_feature(thread_sanitizer) || __has_feature(memory_sanitizer)
#define TRANSFER_BY_WRAPPER 1
#endif
#endif

#if !defined(TRANSFER_BY_WRAPPER) && defined(__x86_64__)
#include <sys/syscall.h>

static inline int64_t transfer_call(long number, int descriptor, uintptr_t buffer, size_t bytes, uint64_t offset)
{
    int64_t answer;
    register uint64_t fourth __asm__("r10") = offset;
    __asm__ volatile("syscall"
                     : "=a"(answer)
                     : "a"(number), "D"((long)descriptor), "S"(buffer), "d"(bytes), "r"(fourth)
                     : "rcx", "r11", "memory");
    return answer;
}
#define TRANSFER_READ(descriptor, buffer, bytes, offset)                                                               \
    transfer_call(SYS_pread64, descriptor, (uintptr_t)(buffer), bytes, offset)
#define TRANSFER_WRITE(descriptor, buffer, bytes, offset)                                                              \
    transfer_call(SYS_pwrite64, descriptor, (uintptr_t)(buffer), bytes, offset)

#else

static inline int64_t transfer_answer(int64_t answer)
{
    return answer < 0 ? -errno : answer;
}
#define TRANSFER_READ(descriptor, buffer, bytes, offset)                                                               \
    transfer_answer(pread(descriptor, buffer, bytes, (off_t)(offset)))
#define TRANSFER_WRITE(descriptor, buffer, bytes, offset)                                                              \
    transfer_answer(pwrite(descriptor, buffer, bytes, (off_t)(offset)))

#endif
#endif
