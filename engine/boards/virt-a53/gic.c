/* The interrupt controller: what the processor's private interrupts need of it. */
#include "virt.h"

#define REGISTER(address) (*(volatile uint32_t *)(address))
#define BYTE(address) (*(volatile uint8_t *)(address))
#define DISTRIBUTOR 0x08000000ul
enum { LEVEL_SHIFT = 3, GROUP_1 = 2, ALL_LEVELS = 0xff };

#if RTG_BOARD_GIC == 3

#define REDISTRIBUTOR 0x080a0000ul
#define PRIVATE (REDISTRIBUTOR + 0x10000)
enum { BY_AFFINITY = 0x10, ASLEEP = 2, CHILDREN_ASLEEP = 4, BY_REGISTERS = 7 };

void rtg_virt_gic_init(void)
{
    REGISTER(DISTRIBUTOR) = BY_AFFINITY | GROUP_1;
    REGISTER(REDISTRIBUTOR + 0x14) &= ~(uint32_t)ASLEEP;
    while (REGISTER(REDISTRIBUTOR + 0x14) & CHILDREN_ASLEEP)
        ;
    REGISTER(PRIVATE + 0x80) = UINT32_MAX;           /* all are of group 1 */
    __asm__ volatile("msr s3_0_c12_c12_5, %0\n\tisb" /* ICC_SRE_EL1 */
                     :
                     : "r"((uint64_t)BY_REGISTERS));
    __asm__ volatile("msr s3_0_c4_c6_0, %0\n\t"    /* ICC_PMR_EL1 */
                     "msr s3_0_c12_c12_3, xzr\n\t" /* ICC_BPR1_EL1: levels are not grouped */
                     "msr s3_0_c12_c12_7, %1\n\t"  /* ICC_IGRPEN1_EL1 */
                     "isb"
                     :
                     : "r"((uint64_t)ALL_LEVELS), "r"((uint64_t)1));
}

#else

#define PRIVATE DISTRIBUTOR
#define PROCESSOR (DISTRIBUTOR + 0x10000)

void rtg_virt_gic_init(void)
{
    REGISTER(DISTRIBUTOR) = 1;
    REGISTER(PROCESSOR + 8) = 0; /* levels are not grouped */
    REGISTER(PROCESSOR + 4) = ALL_LEVELS;
    REGISTER(PROCESSOR) = 1;
}

#endif

void rtg_virt_gic_enable(uint32_t irq, uint32_t level)
{
    BYTE(PRIVATE + 0x400 + irq) = (uint8_t)(level << LEVEL_SHIFT);
    REGISTER(PRIVATE + 0x100) = 1u << irq;
}
