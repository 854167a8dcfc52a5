/* How fast can whole random games of `games/masti.rules` be? By hand for this one game: 3 to 5 players, no teams, no options.

   gcc -O3 -march=native -DPLAYERS=4 masti.c -o masti && ./masti 1

   A hand is a set of its slots for each person, all in one word; a legal slot is picked by one look into a table of small sets.
   What a player has won is counts, all in one word: a trick is added to it in one go. */

#ifndef PLAYERS
#define PLAYERS 4
#endif
#if PLAYERS < 3 || PLAYERS > 5
#error "for 3 to 5 players"
#endif

#include "measure.h"

enum {
    HAND = PLAYERS == 3 ? 12 : PLAYERS == 4 ? 10 : 8,
    GEMS = PLAYERS == 4 ? 2 : 4,
    CARDS = 52,
    TRUMPS = CARDS - PLAYERS * HAND,
    GEM = 15 /* a card is 16 * person + rank - 1; a gem stands where a card could */
};

/* Where the counts of a tally begin: first four bits for each guild. */
enum { GUILDS = 6, JOKERS = 4 * GUILDS, POWERS = 28, BONUSES = 32, PENALTIES = 36, WON = 40, WEALTH = 48 };

/* The guilds of ranks 4 to 12 in games/data/masti.csv: aristocrats 0, artists 1, merchants 2, artisans 3, knights 4, assassins 5. */
static const char guilds[4][10] = {"132540120", "301032541", "250401334", "415210235"};
static const int guild_points[9] = {0, 1, 3, 6, -1, -3, -6, 10, 15};
static const int power_points[5] = {0, -1, -3, -6, 10};

static const uint64_t in_each_person = 0x0001000100010001;

static uint64_t slots_of[1 << (HAND + 1)]; /* the elements of a set of slots, four bits each; slot HAND is the gem */
static uint64_t tally_of[64];              /* what a card or gem adds to a tally */
static uint8_t strengths[4][4][64];        /* by the person of the trump, the person led, and the card; 0: a gem */
static int8_t pair_points[256];            /* of two guilds */
static uint8_t deck[CARDS];                /* in any order: each shuffle goes on from the last */

static void prepare(void) {
    for (unsigned set = 0; set < 1 << (HAND + 1); set++)
        for (unsigned slot = 0, k = 0; slot <= HAND; slot++)
            if (set >> slot & 1)
                slots_of[set] |= (uint64_t)slot << 4 * k++;
    for (unsigned person = 0; person < 4; person++)
        for (unsigned rank = 1; rank <= 13; rank++) {
            unsigned card = 16 * person + rank - 1;
            unsigned at = rank == 1 ? JOKERS : rank == 2 ? PENALTIES : rank == 3 ? BONUSES : rank == 13 ? POWERS : 0;
            deck[13 * person + rank - 1] = (uint8_t)card;
            tally_of[card] = (uint64_t)1 << WON | (uint64_t)1 << (at ? at : 4u * (unsigned)(guilds[person][rank - 4] - '0'));
            for (unsigned trump = 0; trump < 4; trump++)
                for (unsigned led = 0; led < 4; led++)
                    strengths[trump][led][card] = (uint8_t)(person == trump ? 16 + rank : person == led ? rank : 0);
        }
    tally_of[GEM] = (uint64_t)1 << WEALTH;
    for (unsigned pair = 0; pair < 256; pair++)
        if (pair % 16 <= 8 && pair / 16 <= 8)
            pair_points[pair] = (int8_t)(guild_points[pair % 16] + guild_points[pair / 16]);
}

static inline int next_seat(int seat) { return seat == PLAYERS - 1 ? 0 : seat + 1; }

static void play(Random *shared, Statistics *statistics) {
    Random random = *shared;
    uint32_t decisions = 0, options = 0;

    /* The trumps and all hands but the last are drawn; what nobody drew is the last hand. */
    for (uint32_t i = 0; i < CARDS - HAND; i++) {
        uint32_t j = i + below(&random, CARDS - i);
        uint8_t card = deck[j];
        deck[j] = deck[i];
        deck[i] = card;
    }
    uint8_t cards[PLAYERS][16];
    uint64_t hands[PLAYERS], tallies[PLAYERS] = {0};
    uint32_t gems[PLAYERS];
    for (int seat = 0; seat < PLAYERS; seat++) {
        uint64_t hand = 0;
        for (int slot = 0; slot < HAND; slot++) {
            uint8_t card = deck[TRUMPS + HAND * seat + slot];
            cards[seat][slot] = card;
            hand |= (uint64_t)1 << ((card & 48) + slot);
        }
        cards[seat][HAND] = GEM;
        hands[seat] = hand;
        gems[seat] = GEMS;
    }

    int leader = (int)below(&random, PLAYERS);
    for (int round = 0; round < TRUMPS; round++) {
        uint64_t held = 0;
        for (int seat = 0; seat < PLAYERS; seat++)
            held |= hands[seat];
        if (!held)
            break;
        while (!hands[leader])
            leader = next_seat(leader);

        uint64_t hand = hands[leader];
        uint64_t legal = hand * in_each_person >> 48;
        uint32_t amount = (uint32_t)__builtin_popcountll(legal);
        uint32_t slot = slots_of[legal] >> 4 * below(&random, amount) & 15;
        hands[leader] = hand & ~(in_each_person << slot);
        decisions++;
        options += amount;
        uint8_t card = cards[leader][slot], trump = deck[round];
        unsigned led = card & 48;
        const uint8_t *strength = strengths[trump >> 4][led >> 4];
        uint64_t trick = tally_of[trump] + tally_of[card];
        unsigned best = (unsigned)strength[card] << 3 | (unsigned)leader;

        for (int seat = next_seat(leader); seat != leader; seat = next_seat(seat)) {
            hand = hands[seat];
            if (!hand)
                continue;
            uint64_t following = hand >> led & 0xFFFF;
            legal = (following ? following : hand * in_each_person >> 48) | (uint64_t)(gems[seat] != 0) << HAND;
            amount = (uint32_t)__builtin_popcountll(legal);
            slot = slots_of[legal] >> 4 * below(&random, amount) & 15;
            hands[seat] = hand & ~(in_each_person << slot); /* a gem has no bit there: a hand ends before HAND */
            gems[seat] -= slot == HAND;
            decisions++;
            options += amount;
            card = cards[seat][slot];
            trick += tally_of[card];
            unsigned found = (unsigned)strength[card] << 3 | (unsigned)seat;
            best = found > best ? found : best;
        }
        leader = (int)(best & 7);
        tallies[leader] += trick;
    }

    int scores[PLAYERS];
    int64_t keys[PLAYERS];
    for (int seat = 0; seat < PLAYERS; seat++) {
        uint64_t tally = tallies[seat];
        uint64_t free = (tally | tally >> 1 | tally >> 2 | tally >> 3) & 0x111111;
        for (unsigned jokers = tally >> JOKERS & 15; jokers; jokers--) {
            if (!free) {
                tally -= (uint64_t)jokers << WON;
                break;
            }
            uint32_t amount = (uint32_t)__builtin_popcountll(free);
            uint64_t joined = (uint64_t)1 << select_bit(free, below(&random, amount));
            decisions++;
            options += amount;
            free ^= joined;
            tally += joined;
        }
        int won = tally >> WON & 255, wealth = tally >> WEALTH & 255;
        int score = pair_points[tally & 255] + pair_points[tally >> 8 & 255] + pair_points[tally >> 16 & 255];
        score += power_points[tally >> POWERS & 15] + wealth;
        score += 2 * ((int)(tally >> BONUSES & 15) - (int)(tally >> PENALTIES & 15));
        scores[seat] = score;
        keys[seat] = (int64_t)score * 65536 + won * 256 + wealth;
    }
    statistics->decisions += decisions;
    statistics->options += options;
    score_game(statistics, scores, keys);
    *shared = random;
}
