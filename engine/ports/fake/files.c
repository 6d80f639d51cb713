/* Files in memory, with a medium behind: what was written is on it after a flush, and what
 * was forgotten must be read from it. Whole files are in memory or are not. */
#include <stdlib.h>
#include <string.h>

#include "fake.h"

#define MARK 0x46494c45u /* tells a file that was opened from any other memory */
#define MOST_BYTES ((uint64_t)64 << 20)

static struct content {
    bool exists, open, cached, dirty;
    uint8_t *bytes;
    uint64_t size, room;
} contents[RTG_FILE_NUMBERS];

static uint64_t written;

static void pay(uint32_t cost)
{
    fake_enter_kernel();
    fake_compute(cost);
}

static struct content *content_of(const struct rtg_file *f)
{
    return f && f->mark == MARK ? &contents[f->number] : NULL;
}

int rtg_files_where(struct rtg_files *files)
{
    pay(fake_costs.file);
    *files = (struct rtg_files){.system = "fake",
                                .device = "fake",
                                .options = "none",
                                .medium = "virtual",
                                .counts = true,
                                .written = written};
    return RTG_OK;
}

int rtg_file_create(struct rtg_file *f, uint32_t number)
{
    if (!f || number >= RTG_FILE_NUMBERS)
        return RTG_EINVAL;
    pay(fake_costs.file_name);
    if (contents[number].exists)
        return RTG_EBUSY;
    contents[number] = (struct content){.exists = true, .open = true, .cached = true};
    *f = (struct rtg_file){.mark = MARK, .number = number};
    return RTG_OK;
}

int rtg_file_open(struct rtg_file *f, uint32_t number)
{
    if (!f || number >= RTG_FILE_NUMBERS)
        return RTG_EINVAL;
    pay(fake_costs.file_name);
    if (!contents[number].exists)
        return RTG_EFAIL;
    contents[number].open = true;
    *f = (struct rtg_file){.mark = MARK, .number = number};
    return RTG_OK;
}

int rtg_file_close(struct rtg_file *f)
{
    struct content *content = content_of(f);
    if (!content)
        return RTG_EINVAL;
    pay(fake_costs.file);
    content->open = false;
    f->mark = 0;
    return RTG_OK;
}

int rtg_file_delete(uint32_t number)
{
    if (number >= RTG_FILE_NUMBERS)
        return RTG_EINVAL;
    pay(fake_costs.file_name);
    if (!contents[number].exists || contents[number].open)
        return RTG_EFAIL;
    free(contents[number].bytes);
    contents[number] = (struct content){.exists = false};
    return RTG_OK;
}

static uint32_t cost_of(uint32_t bytes)
{
    return fake_costs.file + fake_costs.file_16_bytes * ((bytes + 15) / 16);
}

int rtg_file_read(struct rtg_file *f, uint64_t at, void *to, uint32_t bytes)
{
    struct content *content = content_of(f);
    if (!content || !to)
        return RTG_EINVAL;
    pay(cost_of(bytes));
    if (at > content->size || bytes > content->size - at)
        return RTG_EFAIL;
    if (!content->cached)
        fake_compute(fake_costs.medium_read);
    content->cached = true;
    memcpy(to, content->bytes + at, bytes);
    return RTG_OK;
}

/* What lies between the end and `at` reads as zero. */
static bool make_room(struct content *content, uint64_t end)
{
    if (end > MOST_BYTES)
        return false;
    if (end > content->room) {
        uint64_t room = end < 65536 ? 65536 : end * 2;
        uint8_t *bytes = realloc(content->bytes, room);
        if (!bytes)
            return false;
        memset(bytes + content->room, 0, room - content->room);
        content->bytes = bytes;
        content->room = room;
    }
    content->size = end > content->size ? end : content->size;
    return true;
}

int rtg_file_write(struct rtg_file *f, uint64_t at, const void *from, uint32_t bytes)
{
    struct content *content = content_of(f);
    if (!content || !from)
        return RTG_EINVAL;
    pay(cost_of(bytes));
    if (at > MOST_BYTES || !make_room(content, at + bytes))
        return RTG_EFULL;
    memcpy(content->bytes + at, from, bytes);
    content->dirty = true;
    return RTG_OK;
}

int rtg_file_flush(struct rtg_file *f)
{
    struct content *content = content_of(f);
    if (!content)
        return RTG_EINVAL;
    pay(fake_costs.file);
    if (!content->dirty || fake_has(FAULT_FLUSH_NOTHING))
        return RTG_OK;
    fake_compute(fake_costs.medium_write * (fake_every_kth(FAULT_WRITE_PEAKS) ? 10u : 1u));
    content->dirty = false;
    written++;
    return RTG_OK;
}

int rtg_file_forget(struct rtg_file *f)
{
    struct content *content = content_of(f);
    if (!content)
        return RTG_EINVAL;
    pay(fake_costs.file);
    content->cached = content->cached && (content->dirty || fake_has(FAULT_FORGET_NOTHING));
    return RTG_OK;
}

int rtg_file_cached(struct rtg_file *f, uint64_t at, uint32_t bytes, bool *cached, const char **how)
{
    struct content *content = content_of(f);
    if (!content || bytes == 0 || at > content->size || bytes > content->size - at)
        return RTG_EINVAL;
    pay(fake_costs.file);
    *how = "the fake port remembers it";
    *cached = content->cached;
    return RTG_OK;
}
