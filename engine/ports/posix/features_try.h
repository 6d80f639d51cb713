/* Tries of single features. Each runs in a process of its own, which is ended when it takes
 * too long: it may leave behind what goes with its process, may crash, and need not be
 * tidy. It returns RTG_OK: works; RTG_ENOSUP: is not there or does not work; RTG_EPERM;
 * RTG_EINVAL: has no meaning here; RTG_EFAIL: cannot be tried. */
#ifndef RTG_POSIX_FEATURES_TRY_H
#define RTG_POSIX_FEATURES_TRY_H

#include <errno.h>
#include <stdbool.h>

#include "posix.h"
#include "rtg_features.h"

struct feature {
    int (*attempt)(void); /* NULL: `answer` is declared */
    const char *how;      /* what is called, or why the answer is known */
    int answer;
};

/* By number; those without `how` are in another of the tables. */
extern const struct feature posix_file_features[RTG_FIRST_API];
extern const struct feature posix_realtime_features[RTG_FIRST_API];
extern const struct feature posix_thread_features[RTG_FIRST_API];
extern const struct feature posix_api_features[RTG_FEATURES];
extern const struct feature posix_object_features[RTG_FEATURES];

/* Another try stands for this service. */
#define AS(table, number) posix_##table##_features[RTG_POSIX_##number].attempt()

static inline int works(bool it_does)
{
    return it_does ? RTG_OK : RTG_ENOSUP;
}

/* For a call that failed with `error`. */
static inline int failed(int error)
{
    return error == EPERM || error == EACCES ? RTG_EPERM : RTG_ENOSUP;
}

/* An open file of 4096 zeros that has no name any more; -1 where none can be made. */
int posix_try_file(void);

/* Runs part(arg) in a further process; its return value, -1 when it was killed. */
int posix_try_apart(int (*part)(void *), void *arg);

/* Puts the caller under a policy at a priority above the lowest; an errno value. */
int posix_try_policy(int policy, int above_lowest);

#endif
