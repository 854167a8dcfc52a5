/* How fast can whole random games of `games/for_the_king.rules` be? By hand for this one game: 2 to 5 players.

   gcc -O3 -march=native -DPLAYERS=4 -DHIGHEST_BID=30 for_the_king.c -o for_the_king && ./for_the_king 1

   A card is the number of its face; a hand is a set of faces, with the copies of the gold cards counted beside. Where a random act
   would make a branch that nothing can foretell, there is a table: what an advisor may do next, whose turn it is in a bidding. */

#ifndef PLAYERS
#define PLAYERS 4
#endif
#ifndef HIGHEST_BID
#define HIGHEST_BID 30
#endif
#if PLAYERS < 2 || PLAYERS > 5 || HIGHEST_BID < 1 || HIGHEST_BID > 78
#error "for 2 to 5 players, and a highest bid of 1 to 78"
#endif

#include "measure.h"

enum {
    OFFICES = 6, /* diplomacy, entertainment, livestock, architecture, military, provisions */
    LETTERS = 9,
    LIVESTOCK = 2,
    GOLD = OFFICES * LETTERS, /* government cards are 9 * office + letter; then the gold cards of value 1 to 3 */
    KING = GOLD + 3,          /* then the kings, by effect */
    EFFECTS = 6,
    HIGHEST_LEVEL = 6,
    TURNS = PLAYERS == 2 ? 20 : PLAYERS == 4 ? 16 : 18,
    EVERYBODY = (1 << PLAYERS) - 1,
    NOBODY = PLAYERS,
    BIDDINGS = (EVERYBODY + 1) * PLAYERS * (PLAYERS + 1) /* from here on it has ended, with the winner */
};

enum { KEEP, FAVOUR, OFFER }; /* what an advisor does with a card; each adds 1 << act to the steps of the turn */

enum { UP = 1, DOWN = 2 }; /* the ways in which a change of an office may go, as a set */

static const struct {
    uint8_t first, second, copies, copies_of_5;
} effects[EFFECTS] = {
    {UP | DOWN, 0, 1, 1}, {UP, 0, 2, 1}, {DOWN, 0, 2, 1}, {UP, UP, 2, 1}, {DOWN, DOWN, 2, 1}, {UP, DOWN, 1, 0},
};

/* The values of the letters A to I: in the first three offices, and in the others. */
static const uint8_t values[2][LETTERS] = {{2, 2, 2, 2, 3, 3, 3, 4, 4}, {1, 1, 1, 1, 1, 1, 1, 2, 2}};

typedef struct {
    uint64_t faces;
    uint32_t gold;  /* a byte for the copies of each value; the fourth stays 0 */
    uint32_t cards; /* how many, copies counted */
} Hand;

typedef struct {
    uint8_t levels[OFFICES];
    uint32_t rising, sinking; /* the sets of those that can */
} Offices;

typedef struct {
    Random random;
    uint32_t decisions, options;
} Run;

static uint8_t deck[128];
static uint32_t deck_size;
static uint32_t members[1 << OFFICES];          /* the elements of a small set, four bits each */
static uint32_t gold_of[64], gold_place[64];    /* of a face: what it adds to the gold, and the first bit of its count */
static uint8_t acts_of[4 * PLAYERS];            /* what an advisor may do after a sum of steps: two bits for each act */
static uint8_t act_counts[4 * PLAYERS];         /* and how many there are */
static uint16_t starts[EVERYBODY + 1][PLAYERS]; /* where a bidding begins, by the bidders and the starter */
static uint16_t follows[BIDDINGS][2];           /* where it goes on after a pass, and after a bid */
static uint32_t claims[2][1 << LETTERS];        /* of a set of letters: its worth, then its best letter; 0 for none */

static void add_cards(unsigned face, unsigned copies) {
    while (copies--)
        deck[deck_size++] = (uint8_t)face;
}

/* The number of a bidding, by those who have not passed, the seat from which one of them has to bid or pass, and who leads. */
static uint16_t bidding(unsigned rest, unsigned seat, unsigned leading) {
    if (!(rest & ~(1u << leading)))
        return (uint16_t)(BIDDINGS + leading);
    while (!(rest >> seat % PLAYERS & 1))
        seat++;
    return (uint16_t)((rest * PLAYERS + seat % PLAYERS) * (PLAYERS + 1) + leading);
}

static void prepare(void) {
    for (unsigned office = 0; office < OFFICES; office++)
        for (unsigned letter = 0; letter < LETTERS; letter++)
            add_cards(LETTERS * office + letter, office != LIVESTOCK || PLAYERS == 5);
    for (unsigned value = 0; value < 3; value++)
        add_cards(GOLD + value, 9 + (PLAYERS >= 3) + (PLAYERS >= 4) + 2 * (PLAYERS >= 5));
    for (unsigned effect = 0; effect < EFFECTS; effect++)
        add_cards(KING + effect, effects[effect].copies + (PLAYERS == 5 ? effects[effect].copies_of_5 : 0u));
    for (unsigned face = 0; face < 64; face++) {
        int is_gold = face >= GOLD && face < KING;
        gold_place[face] = is_gold ? 8 * (face - GOLD) : 24;
        gold_of[face] = is_gold ? 1u << gold_place[face] : 0;
    }
    for (unsigned set = 0; set < 1 << OFFICES; set++)
        for (unsigned element = 0, k = 0; element < OFFICES; element++)
            if (set >> element & 1)
                members[set] |= element << 4 * k++;
    for (unsigned steps = 0; steps < 4 * PLAYERS; steps++)
        for (unsigned act = KEEP; act <= OFFER; act++)
            if (act == OFFER ? steps >> OFFER < PLAYERS - 1 : !(steps >> act & 1))
                acts_of[steps] |= (uint8_t)(act << 2 * act_counts[steps]++);
    for (unsigned bidders = 0; bidders <= EVERYBODY; bidders++)
        for (unsigned seat = 0; seat < PLAYERS; seat++) {
            starts[bidders][seat] = bidding(bidders, seat, NOBODY);
            for (unsigned leading = 0; leading <= NOBODY; leading++) {
                unsigned now = bidding(bidders, seat, leading);
                if (now < BIDDINGS) {
                    unsigned bidder = now / (PLAYERS + 1) % PLAYERS;
                    follows[now][0] = bidding(bidders & ~(1u << bidder), bidder + 1, leading);
                    follows[now][1] = bidding(bidders, bidder + 1, bidder);
                }
            }
        }
    for (unsigned rich = 0; rich < 2; rich++)
        for (unsigned set = 1; set < 1 << LETTERS; set++) {
            unsigned worth = 0;
            for (unsigned letter = 0; letter < LETTERS; letter++)
                worth += set >> letter & 1 ? values[rich][letter] : 0;
            claims[rich][set] = 16 * worth + LETTERS - (unsigned)__builtin_ctz(set);
        }
}

static inline uint32_t choose(Run *run, uint32_t amount) {
    run->decisions++;
    run->options += amount;
    return below(&run->random, amount);
}

static inline uint32_t next_seat(uint32_t seat) { return (seat + 1) & -(uint32_t)(seat != PLAYERS - 1); }

static inline uint32_t member(uint32_t set, uint32_t k) { return members[set] >> 4 * k & 15; }

/* ---- Hands */

static inline void receive(Hand *hand, uint32_t face) {
    hand->faces |= (uint64_t)1 << face;
    hand->gold += gold_of[face];
    hand->cards++;
}

static inline void lose(Hand *hand, uint32_t face) {
    hand->gold -= gold_of[face];
    hand->cards--;
    hand->faces &= ~((uint64_t)(!(hand->gold >> gold_place[face] & 255)) << face);
}

/* The sum of the values: the third byte of the product is 1 * ones + 2 * twos + 3 * threes. */
static inline uint32_t gold_value(const Hand *hand) { return hand->gold * (uint64_t)0x010203 >> 16 & 255; }

static inline void lose_at_random(Hand *hand, Random *random) {
    uint64_t government = hand->faces & (((uint64_t)1 << GOLD) - 1);
    uint32_t amount = (uint32_t)__builtin_popcountll(government), k = below(random, hand->cards);
    if (k < amount) {
        lose(hand, select_bit(government, k));
    } else {
        uint32_t ones = hand->gold & 255, twos = hand->gold >> 8 & 255;
        k -= amount;
        lose(hand, (uint32_t)GOLD + (k >= ones) + (k >= ones + twos));
    }
}

/* ---- King cards */

/* One change: the set of the office that was changed, if any could be. */
static inline uint32_t change_office(Run *run, Offices *offices, unsigned ways, uint32_t changed) {
    uint32_t rising = ways & UP ? offices->rising & ~changed : 0;
    uint32_t sinking = ways & DOWN ? offices->sinking & ~changed : 0;
    uint32_t to_rise = (uint32_t)__builtin_popcount(rising), amount = to_rise + (uint32_t)__builtin_popcount(sinking);
    if (!amount)
        return 0;
    uint32_t k = choose(run, amount), up = k < to_rise;
    uint32_t office = up ? member(rising, k) : member(sinking, k - to_rise), bit = 1u << office;
    uint32_t level = offices->levels[office] + 2 * up - 1;
    offices->levels[office] = (uint8_t)level;
    offices->rising = (offices->rising & ~bit) | (uint32_t)(level < HIGHEST_LEVEL) << office;
    offices->sinking = (offices->sinking & ~bit) | (uint32_t)(level > 1) << office;
    return bit;
}

static void apply_king(Run *run, Offices *offices, uint32_t face) {
    uint32_t changed = change_office(run, offices, effects[face - KING].first, 0);
    if (effects[face - KING].second)
        change_office(run, offices, effects[face - KING].second, changed);
}

/* ---- Phase I: influence */

/* A turn: the cards drawn are deck[drawn] and so on; the one for the favour pile is returned. */
static inline uint8_t take_turn(Run *run, Hand hands[PLAYERS], Offices *offices, uint32_t advisor, uint32_t drawn) {
    uint8_t kept[2] = {0}, favour[2] = {0}, centre[PLAYERS]; /* each card is written to the first free place of each of them */
    uint32_t steps = 0;
    for (uint32_t i = drawn; i < drawn + PLAYERS + 1; i++) {
        uint32_t j = i + below(&run->random, deck_size - i), face = deck[j];
        deck[j] = deck[i];
        deck[i] = (uint8_t)face;
        uint32_t act = acts_of[steps] >> 2 * choose(run, act_counts[steps]) & 3;
        kept[steps & 1] = favour[steps >> FAVOUR & 1] = centre[steps >> OFFER] = (uint8_t)face;
        steps += 1u << act;
        if (act == KEEP && face >= KING)
            apply_king(run, offices, face);
    }
    if (kept[0] < KING)
        receive(&hands[advisor], kept[0]);
    uint32_t seat = advisor;
    for (uint32_t left = PLAYERS - 1; left > 0; left--) {
        seat = next_seat(seat);
        uint32_t distinct = 0;
        for (uint32_t i = 0; i < left; i++) {
            uint32_t is_new = 1;
            for (uint32_t j = 0; j < i; j++)
                is_new &= centre[j] != centre[i];
            distinct |= is_new << i;
        }
        uint32_t place = member(distinct, choose(run, (uint32_t)__builtin_popcount(distinct))), face = centre[place];
        centre[place] = centre[left - 1];
        if (face < KING)
            receive(&hands[seat], face);
        else
            apply_king(run, offices, face);
    }
    return favour[0];
}

/* ---- Phase II: esteem */

static inline void pay_with_gold(Run *run, Hand *hand, uint32_t price) {
    for (uint32_t paid = 0; paid < price;) {
        uint32_t held = hand->faces >> GOLD & 7, value = member(held, choose(run, (uint32_t)__builtin_popcount(held)));
        lose(hand, GOLD + value);
        paid += value + 1;
    }
}

static inline void pay_with_cards(Run *run, Hand *hand, uint32_t price) {
    while (price--)
        lose(hand, select_bit(hand->faces, choose(run, (uint32_t)__builtin_popcountll(hand->faces))));
}

static inline void auction(Run *run, Hand hands[PLAYERS], Offices *offices, uint32_t starter, uint32_t lot) {
    uint32_t is_gold = lot >= GOLD && lot < KING;
    for (uint32_t bidders = EVERYBODY; bidders;) {
        uint32_t price = 0, now = starts[bidders][starter];
        while (now < BIDDINGS) {
            uint32_t more = choose(run, HIGHEST_BID - price + 1); /* 0: a pass */
            price += more;
            now = follows[now][more > 0];
        }
        uint32_t winner = now - BIDDINGS;
        if (winner == NOBODY)
            return;
        Hand *hand = &hands[winner];
        if (price <= (is_gold ? hand->cards : gold_value(hand))) {
            if (is_gold)
                pay_with_cards(run, hand, price);
            else
                pay_with_gold(run, hand, price);
            if (lot < KING)
                receive(hand, lot);
            else
                apply_king(run, offices, lot);
            return;
        }
        if (hand->cards)
            lose_at_random(hand, &run->random);
        bidders &= ~(1u << winner);
    }
}

/* ---- Scoring */

static inline uint32_t letters_of(const Hand *hand, int office) {
    return (uint32_t)(hand->faces >> LETTERS * office) & ((1 << LETTERS) - 1);
}

/* Of players tied for the win, up to one wins by the offices: most cards of one, then the best letter. */
static void break_tie(const Hand hands[PLAYERS], int64_t keys[PLAYERS], int64_t best) {
    for (int office = 0; office < OFFICES; office++) {
        int first = 0, winner = -1;
        for (int seat = 0; seat < PLAYERS; seat++) {
            uint32_t letters = letters_of(&hands[seat], office);
            int claim = letters ? 16 * __builtin_popcount(letters) + LETTERS - __builtin_ctz(letters) : 0;
            if (keys[seat] == best && claim > first)
                first = claim, winner = seat;
        }
        if (winner >= 0) {
            keys[winner]++;
            return;
        }
    }
}

static inline void score(const Hand hands[PLAYERS], const Offices *offices, Statistics *statistics) {
    int scores[PLAYERS] = {0};
    for (int office = 0; office < OFFICES; office++) {
        uint32_t first = 0, second = 0; /* the claims, and whose, in the lowest three bits */
        for (uint32_t seat = 0; seat < PLAYERS; seat++) {
            uint32_t claim = claims[office > LIVESTOCK][letters_of(&hands[seat], office)];
            claim = claim ? claim << 3 | seat : 0;
            uint32_t lower = claim < first ? claim : first;
            second = lower > second ? lower : second;
            first = claim > first ? claim : first;
        }
        scores[first & 7] += first ? offices->levels[office] : 0;
        if (PLAYERS > 2)
            scores[second & 7] += second ? offices->levels[office] / 2 : 0;
    }
    int64_t keys[PLAYERS], best = -1;
    int tied = 0;
    for (int seat = 0; seat < PLAYERS; seat++) {
        keys[seat] = ((int64_t)scores[seat] * 256 + gold_value(&hands[seat])) * 2;
        tied = keys[seat] == best ? 1 : keys[seat] > best ? 0 : tied;
        best = keys[seat] > best ? keys[seat] : best;
    }
    if (tied)
        break_tie(hands, keys, best);
    score_game(statistics, scores, keys);
}

static void play(Random *shared, Statistics *statistics) {
    Run run = {*shared, 0, 0};
    Hand hands[PLAYERS] = {0};
    Offices offices = {{3, 3, PLAYERS == 5 ? 3 : 0, 3, 3, 3}, 0, 0};
    offices.rising = offices.sinking = ((1 << OFFICES) - 1) & ~((uint32_t)(PLAYERS < 5) << LIVESTOCK);
    uint8_t favours[TURNS];

    uint32_t advisor = below(&run.random, PLAYERS);
    for (uint32_t turn = 0; turn < TURNS; turn++) {
        favours[turn] = take_turn(&run, hands, &offices, advisor, turn * (PLAYERS + 1));
        advisor = next_seat(advisor);
    }
    for (uint32_t lot = 0, starter = advisor; lot < TURNS; lot++) {
        uint32_t drawn = lot + below(&run.random, TURNS - lot);
        uint8_t face = favours[drawn];
        favours[drawn] = favours[lot];
        auction(&run, hands, &offices, starter, face);
        starter = next_seat(starter);
    }
    score(hands, &offices, statistics);
    statistics->decisions += run.decisions;
    statistics->options += run.options;
    *shared = run.random;
}
