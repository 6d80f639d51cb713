/* The heap, pools of fixed blocks, and the footprint. */
#include <stddef.h>
#include <string.h>

#include "conformance.h"

enum { BLOCKS = 40, MORE = 3 };

static void heap_gives_memory_of_its_own(void)
{
    static const size_t sizes[] = {1, 16, 100, 4096, 300000};
    unsigned char *block[BLOCKS] = {NULL};
    for (unsigned i = 0; i < BLOCKS; i++) {
        size_t size = sizes[i % 5];
        void *got = NULL;
        int result = rtg_heap_get(size, &got);
        if (conf_unsupported("rtg_heap_get", result))
            return;
        if (result == RTG_EFULL && size > 4096) {
            check_skipped("rtg_heap_get of so much at once", "the heap is smaller");
            continue;
        }
        CHECK_EQUAL(result, RTG_OK);
        CHECK(got != NULL);
        CHECK((uintptr_t)got % _Alignof(max_align_t) == 0);
        block[i] = got;
        memset(block[i], (int)i + 1, size);
    }
    for (unsigned i = 0; i < BLOCKS; i++) {
        if (block[i] == NULL)
            continue;
        CHECK_EQUAL(block[i][0], i + 1);
        CHECK_EQUAL(block[i][sizes[i % 5] - 1], i + 1);
        rtg_heap_put(block[i]);
    }
}

static void heap_says_when_it_is_full(void)
{
    void *got = NULL;
    int result = rtg_heap_get(SIZE_MAX / 2, &got);
    if (result != RTG_ENOSUP)
        CHECK_EQUAL(result, RTG_EFULL);
}

static void pool_gives_each_block_once(void)
{
    struct rtg_pool pool;
    unsigned char *block[BLOCKS];
    void *got = NULL;
    int result = rtg_pool_create(&pool, BLOCKS, 100);
    if (conf_unsupported("rtg_pool_create", result)) {
        CHECK_EQUAL(rtg_pool_get(&pool, &got), RTG_ENOSUP);
        CHECK_EQUAL(rtg_pool_put(&pool, got), RTG_ENOSUP);
        CHECK_EQUAL(rtg_pool_destroy(&pool), RTG_ENOSUP);
        return;
    }
    CHECK_EQUAL(result, RTG_OK);
    for (unsigned round = 0; round < MORE; round++) {
        for (unsigned i = 0; i < BLOCKS; i++) {
            CHECK_EQUAL(rtg_pool_get(&pool, &got), RTG_OK);
            CHECK((uintptr_t)got % _Alignof(max_align_t) == 0);
            block[i] = got;
            memset(block[i], (int)i + 1, 100);
        }
        CHECK_EQUAL(rtg_pool_get(&pool, &got), RTG_EFULL);
        for (unsigned i = 0; i < BLOCKS; i++) {
            CHECK_EQUAL(block[i][99], i + 1);
            CHECK_EQUAL(rtg_pool_put(&pool, block[i]), RTG_OK);
        }
    }
    CHECK_EQUAL(rtg_pool_destroy(&pool), RTG_OK);
}

static void footprint_is_told(void)
{
    struct rtg_footprint print = {.code = 0};
    int result = rtg_footprint(&print);
    if (conf_unsupported("rtg_footprint", result))
        return;
    CHECK_EQUAL(result, RTG_OK);
    CHECK(print.code > 10000);
    CHECK(print.data + print.zero > 1000);
    CHECK(print.program_how != NULL && print.kernel_how != NULL);
}

const struct conf_check conf_memory_checks[] = {
    {"rtg_heap_get rtg_heap_put", heap_gives_memory_of_its_own, CONF_ANYWHERE},
    {"rtg_heap_get", heap_says_when_it_is_full, CONF_ANYWHERE},
    {"rtg_pool_create rtg_pool_destroy rtg_pool_get rtg_pool_put", pool_gives_each_block_once,
     CONF_ANYWHERE},
    {"rtg_footprint", footprint_is_told, CONF_ANYWHERE},
    {NULL, NULL, CONF_ANYWHERE},
};
