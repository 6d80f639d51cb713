/* A board whose tick's timer runs with 1 MHz. */
#ifndef RTG_BOARD_FREERTOS_H
#define RTG_BOARD_FREERTOS_H

#define configCPU_CLOCK_HZ 1000000

#endif
