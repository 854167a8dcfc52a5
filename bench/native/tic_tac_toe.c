/* How fast can whole random games of `games/classics/tic_tac_toe.rules` be? By hand for this one game: a set of squares a player.

   gcc -O3 -march=native tic_tac_toe.c -o tic_tac_toe && ./tic_tac_toe 1 */

#ifndef PLAYERS
#define PLAYERS 2
#endif

#include "measure.h"

enum { SQUARES = 9, ALL = (1 << SQUARES) - 1 };

static uint8_t has_line[ALL + 1];

static void prepare(void) {
    static const unsigned lines[] = {0007, 0070, 0700, 0111, 0222, 0444, 0421, 0124};
    for (unsigned set = 0; set <= ALL; set++)
        for (unsigned line = 0; line < sizeof lines / sizeof *lines; line++)
            has_line[set] |= (set & lines[line]) == lines[line];
}

static void play(Random *shared, Statistics *statistics) {
    Random random = *shared;
    unsigned marks[PLAYERS] = {0}, empty = ALL, left = SQUARES, options = 0;
    int winner = -1;
    for (int player = 0; left && winner < 0; player ^= 1) {
        unsigned square = 1u << select_bit(empty, below(&random, left));
        options += left--;
        empty ^= square;
        winner = has_line[marks[player] |= square] ? player : -1;
    }
    statistics->decisions += SQUARES - left;
    statistics->options += options;
    score_duel(statistics, winner);
    *shared = random;
}
