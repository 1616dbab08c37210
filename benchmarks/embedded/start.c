/* Starts a program on a Cortex-M3 or M4 without an operating system; what it says goes through semihosting. */
#include "device.h"

extern uint32_t data_begin, data_end, data_in_flash, bss_begin, bss_end, stack_top;

static uint32_t call_host(uint32_t what, const void* with) {
  register uint32_t r0 __asm__("r0") = what;
  register const void* r1 __asm__("r1") = with;
  __asm__ volatile("bkpt 0xAB" : "+r"(r0) : "r"(r1) : "memory");
  return r0;
}

void say(const char* text) {
  call_host(0x04, text);
}

void say_number(uint32_t number) {
  char digits[11];
  int at = 10;
  digits[10] = 0;
  do {
    digits[--at] = (char)('0' + number % 10);
    number /= 10;
  } while (number > 0);
  say(digits + at);
}

#define SYSTICK ((volatile uint32_t*)0xE000E010)

uint32_t start_counting(void) {
  SYSTICK[1] = 0xFFFFFF;
  SYSTICK[2] = 0;
  SYSTICK[0] = 5; /* the processor's clock, no interrupt */
  return SYSTICK[2];
}

uint32_t ticks_since(uint32_t begin) {
  return (begin - SYSTICK[2]) & 0xFFFFFF;
}

static void finish(int code) {
  const uint32_t with[2] = {0x20026, (uint32_t)code};
  call_host(0x20, with);
  for (;;) {
  }
}

static void reset(void) {
  uint32_t* to;
  const uint32_t* from = &data_in_flash;
  for (to = &data_begin; to < &data_end;) *to++ = *from++;
  for (to = &bss_begin; to < &bss_end;) *to++ = 0;
#ifdef __ARM_FP
  *(volatile uint32_t*)0xE000ED88 |= 0xFU << 20; /* the floating-point unit */
  __asm__ volatile("dsb\nisb");
#endif
  finish(main());
}

static void fault(void) {
  finish(99);
}

__attribute__((section(".vectors"), used)) static void (*const vectors[])(void) = {
    (void (*)(void)) & stack_top, reset, fault, fault, fault, fault, fault};
