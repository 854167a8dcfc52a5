/* How fast can whole random games of `games/classics/breakthrough.rules` be? By hand for this one game, 8 x 8: a set of cells a
   player. The board is turned after each act, so that whoever moves goes up.

   gcc -O3 -march=native breakthrough.c -o breakthrough && ./breakthrough 1 */

#ifndef PLAYERS
#define PLAYERS 2
#endif

#include "measure.h"

static const uint64_t west = 0x0101010101010101, east = 0x8080808080808080, last_row = (uint64_t)0xFF << 56;

static void prepare(void) {}

static void play(Random *shared, Statistics *statistics) {
    Random random = *shared;
    uint64_t own = 0xFFFF, other = (uint64_t)0xFFFF << 48;
    unsigned decisions = 0, options = 0;
    for (int over = 0; !over; decisions++) {
        uint64_t straight = (own << 8) & ~(own | other), to_west = ((own & ~west) << 7) & ~own, to_east = ((own & ~east) << 9) & ~own;
        unsigned ahead = (unsigned)__builtin_popcountll(straight), aslant = ahead + (unsigned)__builtin_popcountll(to_west);
        unsigned moves = aslant + (unsigned)__builtin_popcountll(to_east), chosen = below(&random, moves);
        options += moves;
        uint64_t to, from;
        if (chosen < ahead)
            from = (to = (uint64_t)1 << select_bit(straight, chosen)) >> 8;
        else if (chosen < aslant)
            from = (to = (uint64_t)1 << select_bit(to_west, chosen - ahead)) >> 7;
        else
            from = (to = (uint64_t)1 << select_bit(to_east, chosen - aslant)) >> 9;
        own ^= from | to;
        other &= ~to;
        over = (to & last_row) || !other;
        uint64_t moved = __builtin_bswap64(own); /* turned: rows change places, columns stay */
        own = __builtin_bswap64(other);
        other = moved;
    }
    statistics->decisions += decisions;
    statistics->options += options;
    score_duel(statistics, (int)((decisions - 1) & 1));
    *shared = random;
}
