/* Semaphores and mutexes. FreeRTOS makes each of them from its heap. */
#include "freertos.h"

/* ---- semaphores ---------------------------------------------------------- */

/* The count that each semaphore is made for may be any UBaseType_t; where that has 64 bits, a
 * test can ask for no more than this (facts.c says so). */
#define MOST_COUNTED ((UBaseType_t) - 1 < UINT32_MAX ? (uint32_t)(UBaseType_t) - 1 : UINT32_MAX)

uint32_t rtg_sem_max(enum rtg_sem_kind kind)
{
    return kind == RTG_BINARY ? 1 : MOST_COUNTED;
}

int rtg_sem_create(struct rtg_sem *s, enum rtg_sem_kind kind, enum rtg_sem_name name,
                   uint32_t initial)
{
    if (name == RTG_NAMED)
        return RTG_ENOSUP;
    if (initial > rtg_sem_max(kind))
        return RTG_EINVAL;
    s->handle = kind == RTG_BINARY ? xSemaphoreCreateBinary()
                                   : xSemaphoreCreateCounting(MOST_COUNTED, initial);
    if (s->handle == NULL)
        return RTG_EFULL;
    if (kind == RTG_BINARY && initial == 1)
        xSemaphoreGive((SemaphoreHandle_t)s->handle);
    return RTG_OK;
}

int rtg_sem_destroy(struct rtg_sem *s)
{
    vSemaphoreDelete(s->handle);
    s->handle = NULL;
    return RTG_OK;
}

int rtg_sem_acquire(struct rtg_sem *s)
{
    return xSemaphoreTake((SemaphoreHandle_t)s->handle, portMAX_DELAY) == pdTRUE ? RTG_OK
                                                                                 : RTG_EFAIL;
}

int rtg_sem_try(struct rtg_sem *s)
{
    return xSemaphoreTake((SemaphoreHandle_t)s->handle, 0) == pdTRUE ? RTG_OK : RTG_EBUSY;
}

static BaseType_t take(void *object, void *unused, TickType_t ticks)
{
    (void)unused;
    return xSemaphoreTake((SemaphoreHandle_t)object, ticks);
}

int rtg_sem_acquire_until(struct rtg_sem *s, uint64_t due_ns)
{
    return freertos_wait_until(take, s->handle, NULL, due_ns);
}

int rtg_sem_release(struct rtg_sem *s)
{
    return xSemaphoreGive((SemaphoreHandle_t)s->handle) == pdTRUE ? RTG_OK : RTG_EFULL;
}

int rtg_sem_value(struct rtg_sem *s, uint32_t *value)
{
    *value = (uint32_t)uxSemaphoreGetCount((SemaphoreHandle_t)s->handle);
    return RTG_OK;
}

/* ---- mutexes ------------------------------------------------------------- */

/* A mutex inherits. What FreeRTOS offers for a lock that does not is a binary semaphore. */
static void *make_mutex(const struct rtg_mutex_spec *spec)
{
    bool inherits = spec->protocol == RTG_INHERIT;
    if (spec->recursive)
        return xSemaphoreCreateRecursiveMutex();
#ifdef RTG_FREERTOS_MUTEX_IS_SEMAPHORE
    inherits = false;
#endif
    if (inherits)
        return xSemaphoreCreateMutex();
    void *handle = xSemaphoreCreateBinary();
    if (handle != NULL)
        xSemaphoreGive((SemaphoreHandle_t)handle);
    return handle;
}

int rtg_mutex_create(struct rtg_mutex *m, const struct rtg_mutex_spec *spec)
{
    if (spec->kind == RTG_NATIVE || spec->protocol == RTG_PROTECT)
        return RTG_ENOSUP; /* one kind only, and no ceilings */
    if (spec->recursive && spec->protocol == RTG_NONE)
        return RTG_ENOSUP;
    m->recursive = spec->recursive;
    m->handle = make_mutex(spec);
    return m->handle != NULL ? RTG_OK : RTG_EFULL;
}

int rtg_mutex_destroy(struct rtg_mutex *m)
{
    vSemaphoreDelete(m->handle);
    m->handle = NULL;
    return RTG_OK;
}

static BaseType_t lock(struct rtg_mutex *m, TickType_t ticks)
{
    if (m->recursive)
        return xSemaphoreTakeRecursive((SemaphoreHandle_t)m->handle, ticks);
    return xSemaphoreTake((SemaphoreHandle_t)m->handle, ticks);
}

int rtg_mutex_lock(struct rtg_mutex *m)
{
    return lock(m, portMAX_DELAY) == pdTRUE ? RTG_OK : RTG_EFAIL;
}

int rtg_mutex_try(struct rtg_mutex *m)
{
    return lock(m, 0) == pdTRUE ? RTG_OK : RTG_EBUSY;
}

static BaseType_t lock_within(void *object, void *unused, TickType_t ticks)
{
    (void)unused;
    return lock(object, ticks);
}

int rtg_mutex_lock_until(struct rtg_mutex *m, uint64_t due_ns)
{
    return freertos_wait_until(lock_within, m, NULL, due_ns);
}

int rtg_mutex_unlock(struct rtg_mutex *m)
{
    BaseType_t given = m->recursive ? xSemaphoreGiveRecursive((SemaphoreHandle_t)m->handle)
                                    : xSemaphoreGive((SemaphoreHandle_t)m->handle);
    return given == pdTRUE ? RTG_OK : RTG_EFAIL;
}
