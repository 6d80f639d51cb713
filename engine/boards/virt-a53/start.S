/* Start-up of the virt machine at EL1, or at EL2 on the way to EL1, and the vectors. */

    .section .start, "ax"
    .global rtg_start
rtg_start:
    mrs     x0, CurrentEL
    cmp     x0, #8
    b.ne    at_el1
    mov     x0, #1 << 31            /* EL1 is AArch64; interrupts go to it */
    msr     hcr_el2, x0
    mov     x0, #3                  /* and it may use the physical timer */
    msr     cnthctl_el2, x0
    msr     cntvoff_el2, xzr
    mov     x0, #0x33ff             /* nothing is trapped */
    msr     cptr_el2, x0
    mov     x0, #0x30d00000         /* as out of reset: no MMU, no caches */
    orr     x0, x0, #0x800
    msr     sctlr_el1, x0
    mrs     x0, id_aa64pfr0_el1     /* the GICv3's registers, where it has any */
    tst     x0, #0xf << 24
    b.eq    1f
    mov     x0, #0xf
    msr     s3_4_c12_c9_5, x0       /* ICC_SRE_EL2 */
    isb
1:  adr     x0, vectors_el2
    msr     vbar_el2, x0
    mov     x0, #0x3c5              /* EL1 with its own stack pointer, everything masked */
    msr     spsr_el2, x0
    adr     x0, at_el1
    msr     elr_el2, x0
    mov     x20, #1
    isb
    eret

at_el1:
    ldr     x0, =_freertos_vector_table
    msr     vbar_el1, x0
    mov     x0, #3 << 20            /* floating-point registers may be used */
    msr     cpacr_el1, x0
    msr     spsel, #1
    isb
    ldr     x0, =rtg_stack_top
    mov     sp, x0
    ldr     x0, =rtg_bss
    ldr     x1, =rtg_bss_end
2:  cmp     x0, x1
    b.hs    3f
    stp     xzr, xzr, [x0], #16
    b       2b
3:  cmp     x20, #1                 /* set above only: QEMU and resets begin with 0 */
    cset    w0, eq
    b       rtg_virt_start

/* The only service at EL2: its timer is set to x0, its control register to x1. */
    .balign 2048
vectors_el2:
    .balign 1024
    .org    vectors_el2 + 0x400
    msr     s3_4_c14_c2_2, x0       /* CNTHP_CVAL_EL2 */
    msr     s3_4_c14_c2_1, x1       /* CNTHP_CTL_EL2 */
    isb
    eret
    .org    vectors_el2 + 0x800

    .macro  unexpected number
    .balign 128
    msr     spsel, #1
    mov     x0, #\number
    b       report
    .endm

    .text
    .global _freertos_vector_table
    .balign 2048
_freertos_vector_table:
#ifdef RTG_BOARD_FAULT_CHECK
    msr     tpidr_el1, x0
    mrs     x0, esr_el1
    lsr     x0, x0, #26
    cmp     x0, #0x15               /* SVC: a yield */
    mrs     x0, tpidr_el1
    b.eq    FreeRTOS_SWI_Handler
    msr     spsel, #1
    mov     x0, #0
    b       report
#else
    b       FreeRTOS_SWI_Handler
#endif
    .balign 128
    b       FreeRTOS_IRQ_Handler
    unexpected 2
    unexpected 3
    unexpected 4                    /* a fault in a handler */
    .balign 128
    b       FreeRTOS_IRQ_Handler
    unexpected 6
    unexpected 7
    .rept   8
    unexpected 8
    .endr

report:
    mrs     x1, esr_el1
    mrs     x2, elr_el1
    mrs     x3, far_el1
    b       rtg_virt_fault
