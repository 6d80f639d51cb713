/* What a freestanding image needs of the C library's <string.h>: boards/common/memory.c. */
#ifndef RTG_BOARD_STRING_H
#define RTG_BOARD_STRING_H

#include <stddef.h>

void *memcpy(void *restrict to, const void *restrict from, size_t n);
void *memmove(void *to, const void *from, size_t n);
void *memset(void *to, int byte, size_t n);
int memcmp(const void *a, const void *b, size_t n);
size_t strlen(const char *s);
int strcmp(const char *a, const char *b);
int strncmp(const char *a, const char *b, size_t n);
char *strncpy(char *restrict to, const char *restrict from, size_t n);
char *strchr(const char *s, int c);
char *strstr(const char *s, const char *word);

#endif
