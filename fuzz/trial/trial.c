/* What trials of the kernel ask: which ways through it are new, and what happens where
   memory runs out. */

#include <stdint.h>
#include <stdlib.h>
#include <string.h>

enum { WAYS = 1 << 16 };

static unsigned char now[WAYS], ever[WAYS];
static uintptr_t before;
static long long requests_left = -1, live;

/* The compiler calls this in each block of code: two that follow one another are a way,
   and how often it is taken counts, as 1, 2, 3, 4 to 7, and so on. */
void
__sanitizer_cov_trace_pc(void)
{
    uintptr_t here = (uintptr_t)__builtin_return_address(0) * 0x9E3779B97F4A7C15;
    unsigned char *way = &now[((here >> 40) ^ before) & (WAYS - 1)];
    *way += *way < 255;
    before = here >> 41;
}

static unsigned char
size_class(unsigned char times)
{
    unsigned char bit = 1;
    for (int limit = 1; times > limit && bit < 128; bit <<= 1)
        limit = limit < 3 ? limit + 1 : 2 * limit + 1;
    return times ? bit : 0;
}

/* Count the ways that were taken since the last call and never before it. */
long
trial_new_ways(void)
{
    long new = 0;
    for (int i = 0; i < WAYS; i++) {
        unsigned char bit = size_class(now[i]);
        new += (ever[i] & bit) != bit;
        ever[i] |= bit;
    }
    memset(now, 0, sizeof now);
    before = 0;
    return new;
}

/* Let the kernel have memory so many times, and then no more; -1: always. */
void
trial_limit(long long requests)
{
    requests_left = requests;
}

/* Count the pieces of memory that were not given back. */
long long
trial_live(void)
{
    return live;
}

void *
trial_realloc(void *old, size_t size)
{
    if (requests_left == 0)
        return NULL;
    requests_left -= requests_left > 0;
    void *found = realloc(old, size);
    live += old == NULL && found != NULL;
    return found;
}

void
trial_free(void *old)
{
    live -= old != NULL;
    free(old);
}
