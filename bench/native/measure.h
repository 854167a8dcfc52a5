/* What the engines written by hand share: playing for some time, and the line of statistics. Include it last: it has `main`.

   PROGRAM SECONDS [SEED] plays for at least so long, PROGRAM --games N [SEED] exactly so many games. One line of json is printed:
   the names mean what they mean in `rulesrun simulate` (options_mean is over all decisions; a win shared by k counts 1/k). */

#ifndef MEASURE_H
#define MEASURE_H

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "random.h"

enum { SHARE = 60 }; /* a win: divisible by every number of winners */

typedef struct {
    uint64_t decisions, options;
    int64_t scores[PLAYERS];
    uint64_t shares[PLAYERS];
} Statistics;

/* Each game has these two. */
static void prepare(void);
static void play(Random *random, Statistics *statistics);

/* Score a game: the seats with the greatest key win. */
static inline void score_game(Statistics *statistics, const int scores[PLAYERS], const int64_t keys[PLAYERS]) {
    int64_t best = keys[0];
    for (int seat = 1; seat < PLAYERS; seat++)
        best = keys[seat] > best ? keys[seat] : best;
    unsigned winners = 0;
    for (int seat = 0; seat < PLAYERS; seat++)
        winners += keys[seat] == best;
    static const uint8_t share[] = {0, SHARE, SHARE / 2, SHARE / 3, SHARE / 4, SHARE / 5};
    for (int seat = 0; seat < PLAYERS; seat++) {
        statistics->scores[seat] += scores[seat];
        statistics->shares[seat] += keys[seat] == best ? share[winners] : 0;
    }
}

/* Score a game of two: the winner (from 0; -1: nobody) has 1, the other -1. */
static inline void score_duel(Statistics *statistics, int winner) {
    int scores[PLAYERS] = {0};
    int64_t keys[PLAYERS] = {0};
    if (winner >= 0)
        for (int seat = 0; seat < PLAYERS; seat++)
            keys[seat] = scores[seat] = seat == winner ? 1 : -1;
    score_game(statistics, scores, keys);
}

static double now(void) {
    struct timespec time;
    clock_gettime(CLOCK_MONOTONIC, &time);
    return (double)time.tv_sec + 1e-9 * (double)time.tv_nsec;
}

static void print_list(const char *name, const double values[PLAYERS]) {
    printf(", \"%s\": [", name);
    for (int seat = 0; seat < PLAYERS; seat++)
        printf(seat ? ", %.6f" : "%.6f", values[seat]);
    printf("]");
}

int main(int count, char **arguments) {
    int counted = count > 1 && !strcmp(arguments[1], "--games");
    char *rest = "", *rest_of_seed = "";
    double amount = count > 1 + counted ? strtod(arguments[1 + counted], &rest) : 0;
    uint64_t seed = count > 2 + counted ? strtoull(arguments[2 + counted], &rest_of_seed, 10) : 1;
    if (count > 3 + counted || *rest || *rest_of_seed || !(amount > 0 && amount <= 1e15) ||
        (counted && amount != (double)(uint64_t)amount)) {
        fprintf(stderr, "usage: %s SECONDS [SEED] or %s --games N [SEED]\n", arguments[0], arguments[0]);
        return 2;
    }

    prepare();
    fill_selections();
    Random random = {seed};
    random.state = next_word(&random);
    Statistics statistics = {0};
    uint64_t games = 0;
    double start = now(), passed;
    do {
        uint64_t more = 1024;
        if (counted && (double)(games + more) > amount)
            more = (uint64_t)amount - games;
        for (uint64_t game = 0; game < more; game++)
            play(&random, &statistics);
        games += more;
        passed = now() - start;
    } while (counted ? (double)games < amount : passed < amount);

    double scores[PLAYERS], shares[PLAYERS];
    for (int seat = 0; seat < PLAYERS; seat++) {
        scores[seat] = (double)statistics.scores[seat] / (double)games;
        shares[seat] = (double)statistics.shares[seat] / SHARE / (double)games;
    }
    printf("{\"players\": %d, \"games\": %llu, \"seconds\": %.6f, \"games_per_s\": %.1f", PLAYERS, (unsigned long long)games, passed,
           (double)games / passed);
    printf(", \"decisions_mean\": %.6f", (double)statistics.decisions / (double)games);
    printf(", \"options_mean\": %.6f", (double)statistics.options / (double)statistics.decisions);
    print_list("score_mean", scores);
    print_list("win_share", shares);
    printf("}\n");
    return 0;
}

#endif
