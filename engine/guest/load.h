/* A load that is a program of the guest's, which the host has sent with its libraries. */
#ifndef RTG_GUEST_LOAD_H
#define RTG_GUEST_LOAD_H

#include "shared.h"

#include <sys/types.h>

/* Runs it again and again where there is one, in processes of its own, and writes into the header
 * what it did. 0: there is none, or it could not be started. */
pid_t guest_load_begin(struct guest_header *header);

/* Ends it, so that nothing of it is written any more. */
void guest_load_end(pid_t load);

#endif
