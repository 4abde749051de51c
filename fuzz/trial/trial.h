/* Put before the kernel's source in builds for trials: memory is asked for through
   trial.c, which may say no, and counts what was not given back. */

#include <stdlib.h>

void *trial_realloc(void *old, size_t size);
void trial_free(void *old);

#define realloc trial_realloc
#define free trial_free
