/* Threads: FreeRTOS tasks, each with its stack from the kernel's heap. */
#include "freertos.h"

uint32_t rtg_cpu_count(void)
{
    return 1;
}

uint32_t rtg_cpu_at(uint32_t index)
{
    (void)index;
    return 0;
}

uint32_t rtg_cpu_now(void)
{
    return 0;
}

void rtg_cpu_relax(void)
{
}

/* ---- beginning and end ---------------------------------------------------- */

/* A task that ends itself would be freed by the idle task, some time. This one waits to be
 * deleted by whoever joins it, which gives its memory back at once. */
static void end(struct rtg_thread *t)
{
    taskENTER_CRITICAL();
    t->ended = true;
    TaskHandle_t joiner = t->joiner;
    taskEXIT_CRITICAL();
    if (joiner != NULL)
        xTaskNotifyGive(joiner);
    for (;;)
        vTaskSuspend(NULL);
}

static void begin(void *arg)
{
    struct rtg_thread *t = arg;
    vTaskSetThreadLocalStoragePointer(NULL, FREERTOS_OWN, t);
    t->begun = true;
    t->entry(t->arg);
    end(t);
}

void freertos_adopt_caller(void)
{
    static struct rtg_thread first;
    first = (struct rtg_thread){.task = xTaskGetCurrentTaskHandle(), .begun = true};
    vTaskSetThreadLocalStoragePointer(NULL, FREERTOS_OWN, &first);
    vTaskPrioritySet(NULL, FREERTOS_NORMAL);
}

/* FIFO and round robin are one class here; the image decides which of them it is. */
static int refusal(const struct rtg_thread_spec *spec)
{
    enum rtg_policy other = RTG_FREERTOS_SLICES ? RTG_FIFO : RTG_RR;
    if (spec->policy == RTG_DEADLINE || spec->policy == other)
        return RTG_ENOSUP;
    if (spec->entry == NULL || spec->policy > RTG_DEADLINE || spec->cpu < -1 || spec->cpu > 0)
        return RTG_EINVAL;
    return spec->policy != RTG_NORMAL && spec->level >= rtg_level_count() ? RTG_EINVAL : RTG_OK;
}

const char *rtg_policy_lacking(enum rtg_policy policy)
{
    if (policy == RTG_DEADLINE)
        return "the kernel schedules by priorities only, not by deadlines";
    if (policy == RTG_RR && !RTG_FREERTOS_SLICES)
        return "this image is built without time slicing, which round robin needs: "
               "configUSE_TIME_SLICING=0, and 1 makes it";
    if (policy == RTG_FIFO && RTG_FREERTOS_SLICES)
        return "this image is built with time slicing, so that equals take turns, which FIFO "
               "forbids: configUSE_TIME_SLICING=1, and 0 makes it";
    return NULL;
}

static UBaseType_t priority_of(const struct rtg_thread_spec *spec)
{
    return spec->policy == RTG_NORMAL ? FREERTOS_NORMAL : FREERTOS_LOWEST + spec->level;
}

static int make(struct rtg_thread *t, const struct rtg_thread_spec *spec, UBaseType_t priority)
{
    size_t bytes = spec->stack != 0 ? spec->stack : RTG_THREAD_STACK;
    size_t words = bytes / sizeof(StackType_t);
    *t = (struct rtg_thread){.entry = spec->entry, .arg = spec->arg};
    if (words > (configSTACK_DEPTH_TYPE)-1)
        return RTG_EFULL;
    BaseType_t made = xTaskCreate(begin, "rtg", (configSTACK_DEPTH_TYPE)words, t, priority,
                                  (TaskHandle_t *)&t->task);
    return made == pdPASS ? RTG_OK : RTG_EFULL;
}

int rtg_thread_create(struct rtg_thread *t, const struct rtg_thread_spec *spec)
{
    int refused = refusal(spec);
    return refused != RTG_OK ? refused : make(t, spec, priority_of(spec));
}

/* A task is made ready when it is made: below everybody, so that it is suspended before it has
 * run. */
int rtg_thread_prepare(struct rtg_thread *t, const struct rtg_thread_spec *spec)
{
    int error = refusal(spec);
    if (error == RTG_OK)
        error = make(t, spec, tskIDLE_PRIORITY);
    if (error != RTG_OK)
        return error;
    vTaskSuspend(t->task);
    vTaskPrioritySet(t->task, priority_of(spec));
    t->suspended = true;
    return RTG_OK;
}

int rtg_thread_start(struct rtg_thread *t)
{
    return rtg_thread_resume(t);
}

static int forget(struct rtg_thread *t)
{
    TaskHandle_t task = t->task;
    t->task = NULL;
    vTaskDelete(task);
    return RTG_OK;
}

int rtg_thread_join(struct rtg_thread *t)
{
    if (t->task == NULL || t->joiner != NULL)
        return RTG_EINVAL;
    t->joiner = xTaskGetCurrentTaskHandle();
    while (!t->ended)
        ulTaskNotifyTake(pdTRUE, portMAX_DELAY);
    return forget(t);
}

int rtg_thread_delete(struct rtg_thread *t)
{
    return t->task == NULL ? RTG_EINVAL : forget(t);
}

/* There is one processor, and the caller has it: what has not begun cannot begin meanwhile,
 * but for a switch in between. */
int rtg_thread_delete_unstarted(struct rtg_thread *t)
{
    if (t->task == NULL)
        return RTG_EINVAL;
    vTaskSuspendAll();
    bool begun = t->begun;
    if (!begun)
        forget(t);
    xTaskResumeAll();
    return begun ? RTG_EBUSY : RTG_OK;
}

/* ---- control ---------------------------------------------------------------- */

int rtg_thread_suspend(struct rtg_thread *t)
{
    struct rtg_thread *who = t != NULL ? t : freertos_self();
    who->suspended = true;
    vTaskSuspend(t != NULL ? t->task : NULL);
    return RTG_OK;
}

int rtg_thread_resume(struct rtg_thread *t)
{
    if (!t->suspended)
        return RTG_EINVAL;
    t->suspended = false;
    vTaskResume(t->task);
    return RTG_OK;
}

void rtg_thread_park(void)
{
    for (;;)
        vTaskSuspend(NULL);
}

/* A switch that the caller asked for is not counted as one that it suffered. */
void rtg_thread_yield(void)
{
#if RTG_FREERTOS_COUNT
    rtg_freertos_voluntary = 1;
#endif
    taskYIELD();
}

/* ---- levels ------------------------------------------------------------------ */

uint32_t rtg_level_count(void)
{
    return freertos_limits.max_level < FREERTOS_LEVELS ? freertos_limits.max_level + 1
                                                       : FREERTOS_LEVELS;
}

int rtg_realtime_allowed(const char **why)
{
    *why = "every task may have any priority";
    return RTG_OK;
}

int rtg_thread_set_level(struct rtg_thread *t, uint32_t level, uint32_t call)
{
    if (level >= rtg_level_count() || call != 0)
        return RTG_EINVAL;
    vTaskPrioritySet(t != NULL ? t->task : NULL, FREERTOS_LOWEST + level);
    return RTG_OK;
}

uint32_t rtg_set_level_calls(void)
{
    return 1;
}

const char *rtg_set_level_call_name(uint32_t call)
{
    return call == 0 ? "vTaskPrioritySet" : NULL;
}

int rtg_thread_query(struct rtg_thread *t, struct rtg_thread_state *state)
{
    const struct rtg_thread *self = t == NULL ? freertos_self() : NULL;
    UBaseType_t priority = uxTaskBasePriorityGet(t != NULL ? t->task : NULL);
    bool leveled = priority >= FREERTOS_LOWEST;
    *state =
        (struct rtg_thread_state){.policy = !leveled              ? RTG_NORMAL
                                            : RTG_FREERTOS_SLICES ? RTG_RR
                                                                  : RTG_FIFO,
                                  .level = leveled ? (int32_t)(priority - FREERTOS_LOWEST) : -1,
                                  .cpu = 0,
                                  .involuntary = !RTG_FREERTOS_COUNT ? UINT64_MAX
                                                 : self != NULL      ? self->preempted
                                                                     : 0};
    return RTG_OK;
}
