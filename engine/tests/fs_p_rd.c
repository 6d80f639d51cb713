/* FS-P-RD: blocks are read from a file, one after the other. Before each read the system
 * is asked whether the block is in memory, and it must be as the parameter says. */
#include "common/files.h"

enum { FILE_BYTES = 1 << 20, STEP = 65536, TRIES = 50 };

static const char *how_known = "";

static int fill(struct rtg_file *file, uint8_t *block)
{
    int error = RTG_OK;
    for (uint32_t i = 0; i < STEP; i++)
        block[i] = (uint8_t)(i * 7 + 1);
    for (uint64_t at = 0; error == RTG_OK && at < FILE_BYTES; at += STEP)
        error = rtg_file_write(file, at, block, STEP);
    return error == RTG_OK ? rtg_file_flush(file) : error;
}

/* Puts the block into memory or takes it out; RTG_EFAIL when it is not so then. */
static int prepare(struct rtg_file *file, uint64_t at, uint32_t size, bool wanted, uint8_t *block)
{
    bool cached = !wanted;
    int error = RTG_OK;
    for (unsigned i = 0; error == RTG_OK && cached != wanted && i < TRIES; i++) {
        if (i != 0)
            rtg_sleep_for(1000000);
        if (!wanted)
            error = rtg_file_forget(file);
        else if (i != 0)
            error = rtg_file_read(file, at, block, size);
        if (error == RTG_OK)
            error = rtg_file_cached(file, at, size, &cached, &how_known);
    }
    return error != RTG_OK || cached == wanted ? error : RTG_EFAIL;
}

static enum rtg_outcome read_all(struct rtg_run *run, struct rtg_file *file, uint8_t *block)
{
    uint32_t size = (uint32_t)rtg_number(run, "size"), reads = 0;
    bool cached = rtg_is(run, "cached", "yes");
    uint64_t at = 0;
    int error = RTG_OK;
    while (rtg_next(run)) {
        rtg_breathe(run);
        error = prepare(file, at, size, cached, block);
        if (error == RTG_ENOSUP)
            return rtg_reason(run, RTG_NOT_SUPPORTED,
                              how_known[0] != 0 ? how_known : "no cache can be emptied");
        if (error == RTG_EFAIL)
            return rtg_reason(run, RTG_INVALID,
                              cached ? "what was read is not in memory"
                                     : "what was read once cannot be taken out of memory");
        rtg_dirty(run); /* looking has warmed them */
        rtg_stamp_t start = rtg_stamp_start();
        error = rtg_file_read(file, at, block, size);
        rtg_stamp_t stop = rtg_stamp_stop();
        if (error != RTG_OK)
            return file_error(run, error, "reading a file");
        rtg_record(run, 0, start, stop, cached);
        reads++;
        if (block[0] != (uint8_t)(at % STEP * 7 + 1))
            rtg_broken(run, "what was read is not what was written");
        at = at + 2 * (uint64_t)size <= FILE_BYTES ? at + size : 0;
    }
    rtg_evidence(run, cached ? "reads_cached" : "reads_not_cached", reads, "");
    rtg_evidence_text(run, "cached_how", how_known);
    return RTG_DONE;
}

static enum rtg_outcome play(struct rtg_run *run, struct rtg_file *file, uint8_t *block)
{
    struct rtg_thread_state before;
    int error = fill(file, block);
    if (error != RTG_OK)
        return file_error(run, error, "writing a file");
    for (uint64_t at = 0; error == RTG_OK && at < FILE_BYTES; at += STEP)
        error = rtg_file_read(file, at, block, STEP);
    if (error != RTG_OK)
        return file_error(run, error, "reading a file");
    rtg_watch_begin(run, &before);
    enum rtg_outcome outcome = read_all(run, file, block);
    rtg_watch_end(run, &before);
    return outcome;
}

static enum rtg_outcome run_test(struct rtg_run *run)
{
    struct rtg_file file;
    size_t bytes = STEP;
    enum rtg_outcome outcome = tell_where(run, rtg_is(run, "cached", "no"));
    if (outcome != RTG_DONE)
        return outcome;
    uint8_t *block = rtg_scratch(run, &bytes);
    if (block == NULL || bytes < STEP)
        return rtg_reason(run, RTG_NOT_SUPPORTED, "there is no memory for a block");
    int error = rtg_file_create(&file, 0);
    if (error != RTG_OK)
        return file_error(run, error, "creating a file");
    outcome = play(run, &file, block);
    rtg_file_close(&file);
    rtg_file_delete(0);
    return outcome;
}

RTG_TEST(.id = "FS-P-RD", .title = "Reads",
         .question = "How long does it take to read a block of a file, from memory and from the "
                     "medium?",
         .needs = RTG_NEEDS_FILES | RTG_TURN_BY_TURN, .samples = {500, 5000, 50000},
         .about_ns = 150000, .about_ms = 15,
         .params = {PARAM_BYTES,
                    {"cached", RTG_CHOICE, "yes no", "yes no",
                     "whether the block is in memory before, as the system tells"}},
         .series = {{"", "ns", "before the read", "after it", "the only thread", "cached",
                     RTG_BY_STAMP, ""}},
         .run = run_test);
