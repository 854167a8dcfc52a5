/* Chance for the engines written by hand: the generator of `interpreter/machine/random_streams.py`, as one stream.

   SplitMix64 gives a word by two multiplications from a counter, so that the words of several draws are worked out side by side. */

#ifndef RANDOM_H
#define RANDOM_H

#include <stdint.h>
#ifdef __BMI2__
#include <immintrin.h>
#endif

typedef struct {
    uint64_t state;
} Random;

static inline uint64_t next_word(Random *random) {
    uint64_t x = random->state += 0x9E3779B97F4A7C15;
    x = (x ^ x >> 30) * 0xBF58476D1CE4E5B9;
    x = (x ^ x >> 27) * 0x94D049BB133111EB;
    return x ^ x >> 31;
}

/* A number from 0 to n - 1, each with exactly the same chance (Lemire); below(1) is 0. */
static inline uint32_t below(Random *random, uint32_t n) {
    uint64_t product = (next_word(random) >> 32) * n;
    if (__builtin_expect((uint32_t)product < n, 0))
        for (uint32_t rejected = -n % n; (uint32_t)product < rejected;)
            product = (next_word(random) >> 32) * n;
    return product >> 32;
}

/* The place of the set bit number k of a word, counted from 0; k is less than the number of its bits. */
#ifdef __BMI2__
static inline unsigned select_bit(uint64_t word, unsigned k) {
    return (unsigned)__builtin_ctzll(_pdep_u64((uint64_t)1 << k, word));
}

static inline void fill_selections(void) {}
#else
static uint8_t selections[8][256]; /* the same for bytes */

static inline void fill_selections(void) {
    for (unsigned byte = 0; byte < 256; byte++)
        for (unsigned bit = 0, k = 0; bit < 8; bit++)
            if (byte >> bit & 1)
                selections[k++][byte] = (uint8_t)bit;
}

/* Vigna's broadword select: bits are counted in all bytes at once, and the byte is found by one comparison of all sums. */
static inline unsigned select_bit(uint64_t word, unsigned k) {
    const uint64_t ones = 0x0101010101010101, highs = ones << 7;
    uint64_t sums = word - (word >> 1 & 0x5555555555555555);
    sums = (sums & 0x3333333333333333) + (sums >> 2 & 0x3333333333333333);
    sums = ((sums + (sums >> 4)) & 0x0F0F0F0F0F0F0F0F) * ones;
    unsigned place = 8 * (unsigned)__builtin_popcountll(((k * ones | highs) - sums) & highs);
    return place + selections[k - (sums << 8 >> place & 255)][word >> place & 255];
}
#endif

#endif
