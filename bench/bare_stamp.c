/* The counter alone, read twice in a loop by the same fenced instructions as the
 * engine's stamps: what CAL-P-TRC would cost if the engine were nothing. Prints the
 * smallest distance in ticks. */
#include <stdint.h>
#include <stdio.h>

#include RTG_CLOCK_HEADER

int main(void)
{
    uint64_t least = UINT64_MAX;
    for (int i = 0; i < 10000; i++) {
        uint64_t start = rtg_stamp_start();
        uint64_t stop = rtg_stamp_stop();
        if (stop - start < least)
            least = stop - start;
    }
    printf("%llu\n", (unsigned long long)least);
    return 0;
}
