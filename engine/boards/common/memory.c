/* The functions that compilers call, and the few others of <string.h> that the engine uses. */
#include <stdint.h>
#include <string.h>

/* Else a loop that copies would be replaced by a call of the function that it is in. */
#pragma GCC optimize("no-tree-loop-distribute-patterns")

typedef uintptr_t __attribute__((may_alias)) word;

static int aligned(const void *a, const void *b)
{
    return (((uintptr_t)a | (uintptr_t)b) & (sizeof(word) - 1)) == 0;
}

void *memcpy(void *restrict to, const void *restrict from, size_t n)
{
    unsigned char *t = to;
    const unsigned char *f = from;
    if (n >= sizeof(word) && aligned(t, f)) {
        word *to_word = (word *)(void *)t;
        const word *from_word = (const word *)(const void *)f;
        for (; n >= 4 * sizeof(word); n -= 4 * sizeof(word), to_word += 4, from_word += 4) {
            word a = from_word[0], b = from_word[1], c = from_word[2], d = from_word[3];
            to_word[0] = a, to_word[1] = b, to_word[2] = c, to_word[3] = d;
        }
        for (; n >= sizeof(word); n -= sizeof(word))
            *to_word++ = *from_word++;
        t = (unsigned char *)to_word;
        f = (const unsigned char *)from_word;
    }
    while (n-- != 0)
        *t++ = *f++;
    return to;
}

void *memmove(void *to, const void *from, size_t n)
{
    unsigned char *t = to;
    const unsigned char *f = from;
    if ((uintptr_t)t - (uintptr_t)f >= n)
        return memcpy(to, from, n);
    while (n-- != 0)
        t[n] = f[n];
    return to;
}

void *memset(void *to, int byte, size_t n)
{
    unsigned char *t = to;
    if (n >= sizeof(word) && aligned(t, t)) {
        word all = (word)-1 / 255 * (unsigned char)byte, *to_word = (word *)(void *)t;
        for (; n >= 4 * sizeof(word); n -= 4 * sizeof(word), to_word += 4)
            to_word[0] = to_word[1] = to_word[2] = to_word[3] = all;
        for (; n >= sizeof(word); n -= sizeof(word))
            *to_word++ = all;
        t = (unsigned char *)to_word;
    }
    while (n-- != 0)
        *t++ = (unsigned char)byte;
    return to;
}

int memcmp(const void *a, const void *b, size_t n)
{
    const unsigned char *x = a, *y = b;
    for (; n != 0; n--, x++, y++) {
        if (*x != *y)
            return *x < *y ? -1 : 1;
    }
    return 0;
}

size_t strlen(const char *s)
{
    size_t n = 0;
    while (s[n] != 0)
        n++;
    return n;
}

int strncmp(const char *a, const char *b, size_t n)
{
    for (; n != 0; n--, a++, b++) {
        if (*a != *b)
            return (unsigned char)*a < (unsigned char)*b ? -1 : 1;
        if (*a == 0)
            break;
    }
    return 0;
}

int strcmp(const char *a, const char *b)
{
    return strncmp(a, b, SIZE_MAX);
}

char *strncpy(char *restrict to, const char *restrict from, size_t n)
{
    size_t i = 0;
    for (; i < n && from[i] != 0; i++)
        to[i] = from[i];
    for (; i < n; i++)
        to[i] = 0;
    return to;
}

char *strchr(const char *s, int c)
{
    for (;; s++) {
        if (*s == (char)c)
            return (char *)(uintptr_t)s;
        if (*s == 0)
            return NULL;
    }
}

char *strstr(const char *s, const char *word_)
{
    for (size_t n = strlen(word_);; s++) {
        if (strncmp(s, word_, n) == 0)
            return (char *)(uintptr_t)s;
        if (*s == 0)
            return NULL;
    }
}
