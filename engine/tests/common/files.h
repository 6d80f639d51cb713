/* files.h - what the tests of files share. */
#ifndef RTGAUGE_TESTS_FILES_H
#define RTGAUGE_TESTS_FILES_H

#include "rtgauge/test.h"

#define PARAM_BYTES {"size", RTG_NUMBER, "1 512 5120", "1..65536", "bytes of each operation"}

static inline enum rtg_outcome file_error(struct rtg_run *run, int error, const char *call)
{
    if (error == RTG_EFULL)
        return rtg_reason(run, RTG_INVALID, "the file system became full");
    return rtg_error(run, error, call);
}

/* Tells where the files lie. With `medium`: that must be on a medium that can be trusted
 * to have what was flushed; RTG_DONE, or why not. */
static inline enum rtg_outcome tell_where(struct rtg_run *run, bool medium)
{
    struct rtg_files files;
    if (rtg_files_where(&files) != RTG_OK)
        return rtg_reason(run, RTG_NOT_SUPPORTED, "there is no folder for files");
    rtg_evidence_text(run, "file_system", files.system);
    rtg_evidence_text(run, "device", files.device);
    rtg_evidence_text(run, "mount_options", files.options);
    rtg_evidence_text(run, "medium", files.medium);
    if (files.unproven == NULL)
        return RTG_DONE;
    rtg_evidence_text(run, "medium_unproven", files.unproven);
    return medium ? rtg_reason(run, RTG_NOT_SUPPORTED, files.unproven) : RTG_DONE;
}

#endif
