/* FS-P-WR: one block after the other is written to the end of a file, each forced to the
 * medium at once. That this happened is proven by the writes that the medium's device counts. */
#include "common/files.h"

enum { WRITE, FILE_MOST = 16 << 20 /* bytes; then the next file begins */ };

static int next_file(struct rtg_file *file, uint32_t *number)
{
    int error = rtg_file_close(file);
    error = error == RTG_OK ? rtg_file_delete((*number)++ % 2) : error;
    return error == RTG_OK ? rtg_file_create(file, *number % 2) : error;
}

static int write_all(struct rtg_run *run, struct rtg_file *file, const void *block, uint32_t size,
                     uint32_t *number, uint32_t *blocks)
{
    int error = RTG_OK;
    uint64_t at = 0;
    for (; error == RTG_OK && rtg_next(run); at += size) {
        rtg_breathe(run);
        if (at + size > FILE_MOST) {
            error = next_file(file, number);
            at = 0;
            if (error != RTG_OK)
                break;
        }
        rtg_stamp_t start = rtg_stamp_start();
        error = rtg_file_write(file, at, block, size);
        int flushed = rtg_file_flush(file);
        rtg_stamp_t stop = rtg_stamp_stop();
        error = error == RTG_OK ? flushed : error;
        if (error == RTG_OK) {
            rtg_record(run, WRITE, start, stop, 0);
            ++*blocks;
        }
    }
    return error;
}

/* Each flush needs at least one write of the device. */
static void check_medium(struct rtg_run *run, const struct rtg_files *before, uint32_t blocks)
{
    struct rtg_files after;
    if (!before->counts || rtg_files_where(&after) != RTG_OK || !after.counts) {
        rtg_evidence_text(run, "forced_how", "by the file system's word alone");
        return;
    }
    uint64_t written = after.written - before->written;
    rtg_evidence(run, "device_writes", (int64_t)written, "");
    rtg_evidence_text(run, "forced_how", "the device counted at least one write for each");
    if (written < blocks)
        rtg_broken(run, "the device counted fewer writes than were forced: they are not on it");
}

static enum rtg_outcome play(struct rtg_run *run, const void *block, uint32_t size)
{
    struct rtg_thread_state state;
    struct rtg_files before = {.counts = false};
    struct rtg_file file;
    uint32_t number = 0, blocks = 0;
    int error = rtg_file_create(&file, number);
    if (error != RTG_OK)
        return file_error(run, error, "creating a file");
    error = rtg_file_flush(&file);
    rtg_files_where(&before);
    rtg_watch_begin(run, &state);
    if (error == RTG_OK)
        error = write_all(run, &file, block, size, &number, &blocks);
    rtg_watch_end(run, &state);
    check_medium(run, &before, blocks);
    rtg_file_close(&file);
    rtg_file_delete(number % 2);
    return error == RTG_OK ? RTG_DONE : file_error(run, error, "writing to a file");
}

static enum rtg_outcome run_test(struct rtg_run *run)
{
    uint32_t size = (uint32_t)rtg_number(run, "size");
    size_t bytes = size;
    uint8_t *block;
    enum rtg_outcome outcome = tell_where(run, true);
    if (outcome != RTG_DONE)
        return outcome;
    block = rtg_scratch(run, &bytes);
    if (block == NULL || bytes < size)
        return rtg_reason(run, RTG_NOT_SUPPORTED, "there is no memory for a block");
    for (uint32_t i = 0; i < size; i++)
        block[i] = (uint8_t)(i * 7 + 1);
    return play(run, block, size);
}

RTG_TEST(.id = "FS-P-WR", .title = "Forced writes",
         .question = "How long does it take until a block written to the end of a file is on the "
                     "medium, and do some take longer at regular distances?",
         .needs = RTG_NEEDS_FILES | RTG_TURN_BY_TURN, .samples = {500, 2000, 20000},
         .about_ns = 3000000, .about_ms = 10, .params = {PARAM_BYTES},
         .series = {{"", "ns", "before the write", "after the flush that follows it",
                     "the only thread", "", RTG_BY_STAMP, "peaks"},
                    {"peak", "ns", "of the writes that take much longer than most", "the same",
                     "the only thread", "", RTG_BY_HOST, "peaks:"},
                    {"other", "ns", "of all other writes", "the same", "the only thread", "",
                     RTG_BY_HOST, "others:"},
                    {"peak-period", "1", "a peak", "the next one, in operations", "the only thread",
                     "", RTG_BY_HOST, "between:"}},
         .run = run_test);
