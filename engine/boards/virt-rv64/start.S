/* Start-up of a hart in machine mode, and what comes before the kernel can take a trap. */
    .section .start, "ax"
    .global rtg_start
rtg_start:
    la      t0, early_trap
    csrw    mtvec, t0
    la      sp, rtg_stack_top
    la      t0, rtg_bss
    la      t1, rtg_bss_end
1:  bgeu    t0, t1, 2f
    sd      zero, 0(t0)
    addi    t0, t0, 8
    j       1b
2:  j       rtg_virt_start

    .balign 4
early_trap:
    la      sp, rtg_stack_top
    csrr    a0, mcause
    csrr    a1, mepc
    j       rtg_virt_fault

/* The kernel calls this before its first thread runs: from here on it takes all traps. */
    .text
    .global vPortSetupTimerInterrupt
vPortSetupTimerInterrupt:
    la      t0, freertos_risc_v_trap_handler
    csrw    mtvec, t0
    j       rtg_virt_tick_start
