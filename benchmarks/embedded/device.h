/* What programs on the bare device use. */
#ifndef DEVICE_H
#define DEVICE_H

#include <stdint.h>

void say(const char* text);
void say_number(uint32_t number);
/* The device's clock; in qemu with -icount shift=0 a nanosecond is an instruction, and a tick 40 of them. */
uint32_t start_counting(void);
uint32_t ticks_since(uint32_t begin);
int main(void);

#endif
