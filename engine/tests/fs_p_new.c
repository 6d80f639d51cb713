/* FS-P-NEW: files are created, empty, until the folder holds all of them, and then deleted
 * in the same order. Nothing is forced to the medium. */
#include "common/files.h"

enum { CREATION, DELETION };

static int create_all(struct rtg_run *run, uint32_t files, uint32_t *made)
{
    int error = RTG_OK;
    while (error == RTG_OK && *made < files) {
        struct rtg_file file;
        rtg_breathe(run);
        rtg_dirty(run);
        rtg_stamp_t start = rtg_stamp_start();
        error = rtg_file_create(&file, *made);
        int last = error == RTG_OK ? rtg_file_close(&file) : error;
        rtg_stamp_t stop = rtg_stamp_stop();
        if (last == RTG_OK)
            rtg_record(run, CREATION, start, stop, (uint16_t)*made);
        *made += error == RTG_OK;
        error = last;
    }
    return error;
}

static int delete_all(struct rtg_run *run, uint32_t files)
{
    int error = RTG_OK;
    for (uint32_t i = 0; i < files; i++) {
        rtg_breathe(run);
        rtg_dirty(run);
        rtg_stamp_t start = rtg_stamp_start();
        int result = rtg_file_delete(i);
        rtg_stamp_t stop = rtg_stamp_stop();
        if (result == RTG_OK)
            rtg_record(run, DELETION, start, stop, (uint16_t)(files - i));
        else
            error = result;
    }
    return error;
}

static enum rtg_outcome run_test(struct rtg_run *run)
{
    struct rtg_thread_state before;
    uint32_t files = (uint32_t)rtg_number(run, "files");
    int error = RTG_OK;
    enum rtg_outcome outcome = tell_where(run, false);
    if (outcome != RTG_DONE)
        return outcome;
    rtg_per_iteration(run, files);
    rtg_watch_begin(run, &before);
    while (error == RTG_OK && rtg_next(run)) {
        uint32_t made = 0;
        error = create_all(run, files, &made);
        int last = delete_all(run, made);
        error = error == RTG_OK ? last : error;
    }
    rtg_watch_end(run, &before);
    return error == RTG_OK ? RTG_DONE : file_error(run, error, "creating and deleting files");
}

RTG_TEST(.id = "FS-P-NEW", .title = "File creation and deletion",
         .question = "How long do the creation and the deletion of a file take, and does that "
                     "grow with the files in the folder?",
         .needs = RTG_NEEDS_FILES | RTG_TURN_BY_TURN, .samples = {1000, 10000, 100000},
         .about_ns = 70000, .about_ms = 5,
         .params = {{"files", RTG_NUMBER, "1000", "1..2000",
                     "that the folder holds before they are deleted"}},
         .series = {{"creation", "ns", "before a new file is opened", "after it was closed",
                     "the only thread", "files", RTG_BY_STAMP, "slope"},
                    {"deletion", "ns", "before the file is deleted", "after that",
                     "the only thread", "files", RTG_BY_STAMP, "slope"}},
         .run = run_test);
