/* How fast can whole random games of `games/classics/connect_four.rules` be? By hand for this one game, 7 x 6: a set of cells a
   player, each column with one bit more than it has cells, so that lines do not run on into the next.

   gcc -O3 -march=native connect_four.c -o connect_four && ./connect_four 1 */

#ifndef PLAYERS
#define PLAYERS 2
#endif

#include "measure.h"

enum { COLUMNS = 7, ROWS = 6, COLUMN = ROWS + 1, CELLS = COLUMNS * ROWS };

static uint64_t bottom, board; /* the lowest cell of each column; all cells */

static void prepare(void) {
    for (unsigned column = 0; column < COLUMNS; column++)
        bottom |= (uint64_t)1 << COLUMN * column;
    board = bottom * ((1 << ROWS) - 1);
}

static inline int has_line(uint64_t discs) {
    static const unsigned ways[] = {1, COLUMN, COLUMN - 1, COLUMN + 1};
    uint64_t found = 0;
    for (unsigned way = 0; way < 4; way++) {
        uint64_t pairs = discs & discs >> ways[way];
        found |= pairs & pairs >> 2 * ways[way];
    }
    return found != 0;
}

static void play(Random *shared, Statistics *statistics) {
    Random random = *shared;
    uint64_t own = 0, other = 0;
    unsigned turn = 0, options = 0;
    int winner = -1;
    while (turn < CELLS && winner < 0) {
        uint64_t open = ((own | other) + bottom) & board; /* where a disc can come to lie */
        unsigned columns = (unsigned)__builtin_popcountll(open);
        uint64_t after = own | (uint64_t)1 << select_bit(open, below(&random, columns));
        options += columns;
        winner = has_line(after) ? (int)(turn & 1) : -1;
        own = other;
        other = after;
        turn++;
    }
    statistics->decisions += turn;
    statistics->options += options;
    score_duel(statistics, winner);
    *shared = random;
}
