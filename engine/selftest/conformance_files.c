/* Files. A port that works in a folder of the host's is started in one: see CMakeLists.txt. */
#include <string.h>

#include "conformance.h"

enum { NUMBER = 17, BYTES = 5000 };
static unsigned char block[BYTES], back[BYTES];

/* Makes the file; false when there are none here. */
static bool make(struct rtg_file *file)
{
    rtg_file_delete(NUMBER); /* of a program that was killed */
    int result = rtg_file_create(file, NUMBER);
    if (conf_unsupported("rtg_file_create", result))
        return false;
    CHECK_EQUAL(result, RTG_OK);
    for (unsigned i = 0; i < BYTES; i++)
        block[i] = (unsigned char)(i * 7 + 1);
    return result == RTG_OK;
}

static void end(struct rtg_file *file)
{
    CHECK_EQUAL(rtg_file_close(file), RTG_OK);
    CHECK_EQUAL(rtg_file_delete(NUMBER), RTG_OK);
}

static void where_is_told(void)
{
    struct rtg_files files;
    int result = rtg_files_where(&files);
    if (conf_unsupported("rtg_files_where", result))
        return;
    CHECK_EQUAL(result, RTG_OK);
    CHECK(files.system != NULL && files.device != NULL && files.options != NULL);
    CHECK(files.medium != NULL);
}

static void files_come_and_go(void)
{
    struct rtg_file file, other;
    if (!make(&file))
        return;
    CHECK_EQUAL(rtg_file_create(&other, NUMBER), RTG_EBUSY);
    CHECK_EQUAL(rtg_file_create(&other, RTG_FILE_NUMBERS), RTG_EINVAL);
    end(&file);
    CHECK(rtg_file_open(&other, NUMBER) != RTG_OK);
    CHECK(rtg_file_delete(NUMBER) != RTG_OK);
}

static void what_was_written_is_read(void)
{
    struct rtg_file file;
    if (!make(&file))
        return;
    CHECK_EQUAL(rtg_file_write(&file, 0, block, BYTES), RTG_OK);
    CHECK_EQUAL(rtg_file_write(&file, 3000, block, 10), RTG_OK);
    CHECK_EQUAL(rtg_file_flush(&file), RTG_OK);
    CHECK_EQUAL(rtg_file_close(&file), RTG_OK);
    CHECK_EQUAL(rtg_file_open(&file, NUMBER), RTG_OK);
    CHECK_EQUAL(rtg_file_read(&file, 0, back, BYTES), RTG_OK);
    CHECK(memcmp(back, block, 3000) == 0 && memcmp(back + 3000, block, 10) == 0);
    CHECK(memcmp(back + 3010, block + 3010, BYTES - 3010) == 0);
    CHECK_EQUAL(rtg_file_read(&file, 10, back, BYTES), RTG_EFAIL);
    end(&file);
}

static void flush_reaches_the_medium(void)
{
    struct rtg_files before, after;
    struct rtg_file file;
    if (!make(&file))
        return;
    CHECK_EQUAL(rtg_files_where(&before), RTG_OK);
    CHECK_EQUAL(rtg_file_write(&file, 0, block, BYTES), RTG_OK);
    CHECK_EQUAL(rtg_file_flush(&file), RTG_OK);
    CHECK_EQUAL(rtg_files_where(&after), RTG_OK);
    CHECK_EQUAL(after.counts, before.counts);
    if (after.counts)
        CHECK(after.written > before.written);
    else
        check_skipped("rtg_file_flush", "the writes of the medium are not counted");
    end(&file);
}

static void cache_is_told_and_emptied(void)
{
    struct rtg_file file;
    struct rtg_files files;
    bool cached = false;
    const char *how = NULL;
    if (!make(&file))
        return;
    CHECK_EQUAL(rtg_file_write(&file, 0, block, BYTES), RTG_OK);
    CHECK_EQUAL(rtg_file_flush(&file), RTG_OK);
    CHECK_EQUAL(rtg_file_read(&file, 0, back, BYTES), RTG_OK);
    int told = rtg_file_cached(&file, 1000, 2000, &cached, &how);
    int forgot = rtg_file_forget(&file);
    CHECK(how != NULL);
    CHECK_EQUAL(rtg_files_where(&files), RTG_OK);
    if (conf_unsupported("rtg_file_cached", told) || conf_unsupported("rtg_file_forget", forgot)) {
        end(&file);
        return;
    }
    CHECK_EQUAL(told, RTG_OK);
    CHECK(cached);
    CHECK_EQUAL(forgot, RTG_OK);
    if (files.unproven == NULL) {
        CHECK_EQUAL(rtg_file_cached(&file, 1000, 2000, &cached, &how), RTG_OK);
        CHECK(!cached);
    }
    end(&file);
}

const struct conf_check conf_file_checks[] = {
    {"rtg_files_where", where_is_told, CONF_ANYWHERE},
    {"rtg_file_create rtg_file_delete", files_come_and_go, CONF_ANYWHERE},
    {"rtg_file_open rtg_file_close rtg_file_read rtg_file_write", what_was_written_is_read,
     CONF_ANYWHERE},
    {"rtg_file_flush", flush_reaches_the_medium, CONF_ANYWHERE},
    {"rtg_file_forget rtg_file_cached", cache_is_told_and_emptied, CONF_ANYWHERE},
    {NULL, NULL, CONF_ANYWHERE},
};
