/* Lies about the time of day, by the seconds in the file that WRONG_CLOCK names: a number of 64 bits.

   Sleeps and waits are left alone. What libfaketime of Debian 12 does to them, threads of Python 3.11
   do not survive: they wait forever, or time.sleep() raises an OSError. */

#include <fcntl.h>
#include <stdint.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <sys/time.h>
#include <time.h>
#include <unistd.h>

static volatile int64_t *offset;

__attribute__((constructor)) static void find_offset(void)
{
    int file = open(getenv("WRONG_CLOCK"), O_RDONLY);
    offset = mmap(NULL, sizeof *offset, PROT_READ, MAP_SHARED, file, 0);
    if (offset == MAP_FAILED)
        abort();
    close(file);
}

int clock_gettime(clockid_t clock, struct timespec *now)
{
    int result = syscall(SYS_clock_gettime, clock, now);
    if (result == 0 && (clock == CLOCK_REALTIME || clock == CLOCK_REALTIME_COARSE))
        now->tv_sec += *offset;
    return result;
}

int gettimeofday(struct timeval *restrict now, void *restrict zone)
{
    int result = syscall(SYS_gettimeofday, now, zone);
    if (result == 0)
        now->tv_sec += *offset;
    return result;
}

time_t time(time_t *now)
{
    struct timespec found;
    clock_gettime(CLOCK_REALTIME, &found);
    if (now != NULL)
        *now = found.tv_sec;
    return found.tv_sec;
}
