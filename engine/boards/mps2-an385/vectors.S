/* The vector table of the Cortex-M3, and the way from a fault to its report. */
    .syntax unified
    .section .vectors, "a"
    .word   rtg_stack_top
    .word   rtg_start
    .rept   9                       /* NMI, faults, and what the architecture reserves */
    .word   fault
    .endr
    .word   vPortSVCHandler
    .word   fault
    .word   fault
    .word   xPortPendSVHandler
    .word   xPortSysTickHandler
    .rept   8
    .word   fault
    .endr
    .word   rtg_mps2_timer0         /* interrupt 8 */
    .word   rtg_mps2_timer1
    .rept   22
    .word   fault
    .endr

    .text
    .thumb_func
fault:                              /* hands over where the processor has pushed its registers */
    tst     lr, #4
    ite     eq
    mrseq   r0, msp
    mrsne   r0, psp
    b       rtg_mps2_fault
