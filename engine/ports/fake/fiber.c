/* Fibers: ucontext, with stacks from one pool that is reserved at once and
 * touched only where it is used. */
#define _GNU_SOURCE
#include <sys/mman.h>
#include <ucontext.h>

#include "fake.h"

#if defined(__SANITIZE_ADDRESS__)
#include <sanitizer/asan_interface.h>
#include <sanitizer/common_interface_defs.h>
#endif

#define STACK_BYTES ((size_t)FAKE_STACK_BYTES)
#define GUARD_BYTES 4096u
#define SLOT_BYTES (STACK_BYTES + GUARD_BYTES)

struct fake_fiber {
    ucontext_t context;
    const void *bottom; /* NULL for main's stack until it is known */
    size_t size;
    bool guarded;
};

static struct fake_fiber fibers[FAKE_THREADS];
static unsigned char *pool;
#if defined(__SANITIZE_ADDRESS__)
static struct fake_fiber *left; /* the fiber that the last switch left */
#endif

bool fake_fibers_init(void)
{
    pool = mmap(NULL, (FAKE_THREADS - 1) * SLOT_BYTES, PROT_READ | PROT_WRITE,
                MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    return pool != MAP_FAILED;
}

struct fake_fiber *fake_fiber_of(uint32_t index)
{
    return &fibers[index];
}

/* The lowest page of a slot cannot be touched, so that a stack that is too small
 * ends the process and harms no other thread. */
static void guard(struct fake_fiber *fiber, unsigned char *slot)
{
    if (!fiber->guarded && mprotect(slot, GUARD_BYTES, PROT_NONE) == 0)
        fiber->guarded = true;
}

void fake_fiber_prepare(struct fake_fiber *fiber, void (*first)(void))
{
    unsigned char *slot = pool + (size_t)(fiber - fibers - 1) * SLOT_BYTES;
    guard(fiber, slot);
    fiber->bottom = slot + GUARD_BYTES;
    fiber->size = STACK_BYTES;
    getcontext(&fiber->context);
    fiber->context.uc_stack.ss_sp = slot + GUARD_BYTES;
    fiber->context.uc_stack.ss_size = STACK_BYTES;
    fiber->context.uc_link = NULL;
    makecontext(&fiber->context, first, 0);
}

#if defined(__SANITIZE_ADDRESS__)

void fake_fiber_forget(struct fake_fiber *fiber)
{
    __asan_unpoison_memory_region(fiber->bottom, fiber->size);
}

static void arrived(void *own)
{
    const void *bottom;
    size_t size;
    __sanitizer_finish_switch_fiber(own, &bottom, &size);
    if (!left->bottom) { /* main's stack, of which nobody else knows the place */
        left->bottom = bottom;
        left->size = size;
    }
}

void fake_fiber_switch(struct fake_fiber *from, struct fake_fiber *to, bool from_ends)
{
    void *own = NULL;
    left = from;
    __sanitizer_start_switch_fiber(from_ends ? NULL : &own, to->bottom, to->size);
    swapcontext(&from->context, &to->context);
    arrived(own);
}

void fake_fiber_arrived(void)
{
    arrived(NULL);
}

#else

void fake_fiber_forget(struct fake_fiber *fiber)
{
    (void)fiber;
}

void fake_fiber_switch(struct fake_fiber *from, struct fake_fiber *to, bool from_ends)
{
    (void)from_ends;
    swapcontext(&from->context, &to->context);
}

void fake_fiber_arrived(void)
{
}

#endif
