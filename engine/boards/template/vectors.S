/* The vector table: the kernel's three handlers, faults, and from 16 on the board's interrupts. */
    .syntax unified
    .section .vectors, "a"
    .word   rtg_stack_top
    .word   rtg_start
    .rept   9
    .word   template_fault
    .endr
    .word   vPortSVCHandler
    .word   template_fault
    .word   template_fault
    .word   xPortPendSVHandler
    .word   xPortSysTickHandler
