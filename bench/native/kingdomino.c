/* How fast can whole random games of `games/kingdomino.rules` be? By hand for this one game: 2 to 4 players, no variants.

   gcc -O3 -march=native -DPLAYERS=4 kingdomino.c -o kingdomino && ./kingdomino 1

   A kingdom is sets of squares in words of 64 bits: square (x, y) is bit x + 8 y modulo 64. The coordinates are not bounded: all
   that matters lies in a window of 7 x 7 around the kingdom (its frame), and in such a window no two squares share a bit. So
   "one to the right" is a rotation, and all places of a domino that lies in one direction are one expression. */

#ifndef PLAYERS
#define PLAYERS 4
#endif
#if PLAYERS < 2 || PLAYERS > 4
#error "for 2 to 4 players"
#endif

#include "measure.h"

enum {
    SIDE = 5,
    TERRAINS = 6,
    DOMINOES = 48,
    LINE = PLAYERS == 3 ? 3 : 4,
    ROUNDS = PLAYERS == 2 ? 6 : 12
};

enum { RIGHT, BELOW, LEFT, ABOVE, DIRECTIONS }; /* where half b of a domino lies, seen from half a */

static const int steps[DIRECTIONS] = {1, 8, -1, -8};

/* Half a is the one with the crowns, if any: no domino has crowns on both halves. */
typedef struct {
    uint8_t terrain_a, terrain_b;
    uint64_t crowns_1, crowns_2; /* the binary digits of the crowns */
    uint64_t turned;             /* all ones, but 0 where the halves are equal: laid the other way round it is no other option */
} Domino;

/* games/data/kingdomino.csv: terrain and crowns of either half, in the order of the numbers. */
static const char halves[] =
    "w0w0 w0w0 f0f0 f0f0 f0f0 f0f0 l0l0 l0l0 l0l0 p0p0 p0p0 s0s0 w0f0 w0l0 w0p0 w0s0 "
    "f0l0 f0p0 w1f0 w1l0 w1p0 w1s0 w1m0 f1w0 f1w0 f1w0 f1w0 f1l0 f1p0 l1w0 l1w0 l1f0 "
    "l1f0 l1f0 l1f0 p1w0 p1l0 s1w0 s1p0 m1w0 p2w0 p2l0 s2w0 s2p0 m2w0 m2s0 m2s0 m3w0 ";

typedef struct {
    uint64_t occupied;
    uint64_t squares[TERRAINS];  /* of each terrain */
    uint64_t touched[TERRAINS];  /* beside those, or beside the castle */
    uint64_t crowns_1, crowns_2; /* the binary digits of the crowns on each square */
    uint32_t shape;              /* SIDE * (height - 1) + width - 1 */
    uint32_t corner;             /* the bit at the upper left of its frame */
} Kingdom;

/* What half a on some square of the frame makes of shape and corner. */
typedef struct {
    uint8_t shape, shift;
} Growth;

static Domino dominoes[DOMINOES];
static uint8_t deck[DOMINOES];                           /* in any order: each shuffle goes on from the last */
static uint8_t members[1 << 4];                          /* the elements of a set of places in a line, two bits each */
static uint64_t beside[64];                              /* the four squares around one */
static uint64_t frames[SIDE * SIDE];                     /* where a kingdom of some shape can grow in one move, from bit 0 */
static Growth growths[SIDE * SIDE][DIRECTIONS][64];

static inline uint64_t turn(uint64_t squares, uint32_t by) { return squares << (by & 63) | squares >> (-by & 63); }

static inline int least(int a, int b) { return a < b ? a : b; }
static inline int most(int a, int b) { return a > b ? a : b; }

/* How far a kingdom can grow in one move to one side: a domino is two long, and the whole stays at most SIDE wide. */
static int margin(int width) { return least(2, SIDE - width); }

static void prepare_frame(int width, int height) {
    int shape = SIDE * (height - 1) + width - 1, margin_x = margin(width), margin_y = margin(height);
    int frame_x = width + 2 * margin_x, frame_y = height + 2 * margin_y;
    for (int y = 0; y < frame_y; y++)
        for (int x = 0; x < frame_x; x++) {
            frames[shape] |= (uint64_t)1 << (x + 8 * y);
            for (int direction = 0; direction < DIRECTIONS; direction++) {
                int other_x = x + steps[direction] % 8, other_y = y + steps[direction] / 8;
                int left = least(margin_x, least(x, other_x)), right = most(margin_x + width - 1, most(x, other_x));
                int top = least(margin_y, least(y, other_y)), bottom = most(margin_y + height - 1, most(y, other_y));
                int new_width = right - left + 1, new_height = bottom - top + 1;
                if (left < 0 || top < 0 || right >= frame_x || bottom >= frame_y || new_width > SIDE || new_height > SIDE)
                    continue; /* no legal place */
                int shift = left - margin(new_width) + 8 * (top - margin(new_height));
                growths[shape][direction][x + 8 * y] = (Growth){(uint8_t)(SIDE * (new_height - 1) + new_width - 1), shift & 63};
            }
        }
}

static void prepare(void) {
    static const char letters[] = "wflpsm";
    for (int i = 0; i < DOMINOES; i++) {
        const char *half = halves + 5 * i;
        unsigned crowns = (unsigned)(half[1] - '0');
        dominoes[i] = (Domino){(uint8_t)(strchr(letters, half[0]) - letters), (uint8_t)(strchr(letters, half[2]) - letters),
                               crowns & 1, crowns >> 1, memcmp(half, half + 2, 2) ? ~(uint64_t)0 : 0};
        deck[i] = (uint8_t)i;
    }
    for (unsigned set = 0; set < 16; set++)
        for (unsigned place = 0, k = 0; place < 4; place++)
            if (set >> place & 1)
                members[set] |= (uint8_t)(place << 2 * k++);
    for (uint32_t square = 0; square < 64; square++)
        for (int direction = 0; direction < DIRECTIONS; direction++)
            beside[square] |= turn(1, square + (uint32_t)steps[direction]);
    for (int width = 1; width <= SIDE; width++)
        for (int height = 1; height <= SIDE; height++)
            prepare_frame(width, height);
}

/* Place a domino somewhere, if it can be: the number of ways. */
static inline uint32_t place(Kingdom *kingdom, const Domino *domino, Random *random) {
    uint64_t empty = turn(frames[kingdom->shape], kingdom->corner) & ~kingdom->occupied;
    uint64_t a = kingdom->touched[domino->terrain_a] & empty;
    uint64_t b = kingdom->touched[domino->terrain_b] & empty;
    uint64_t places[DIRECTIONS]; /* of half a */
    places[RIGHT] = (a & turn(empty, -1)) | (empty & turn(b, -1));
    places[BELOW] = (a & turn(empty, -8)) | (empty & turn(b, -8));
    places[LEFT] = ((a & turn(empty, 1)) | (empty & turn(b, 1))) & domino->turned;
    places[ABOVE] = ((a & turn(empty, 8)) | (empty & turn(b, 8))) & domino->turned;
    uint32_t before[DIRECTIONS] = {0}; /* the options in earlier directions */
    for (int direction = 1; direction < DIRECTIONS; direction++)
        before[direction] = before[direction - 1] + (uint32_t)__builtin_popcountll(places[direction - 1]);
    uint32_t ways = before[ABOVE] + (uint32_t)__builtin_popcountll(places[ABOVE]);
    if (!ways)
        return 0;

    uint32_t k = below(random, ways);
    uint32_t direction = (k >= before[BELOW]) + (k >= before[LEFT]) + (k >= before[ABOVE]);
    uint32_t at_a = select_bit(places[direction], k - before[direction]), at_b = (at_a + (uint32_t)steps[direction]) & 63;
    a = (uint64_t)1 << at_a;
    b = (uint64_t)1 << at_b;
    kingdom->occupied |= a | b;
    kingdom->squares[domino->terrain_a] |= a;
    kingdom->squares[domino->terrain_b] |= b;
    kingdom->touched[domino->terrain_a] |= beside[at_a];
    kingdom->touched[domino->terrain_b] |= beside[at_b];
    kingdom->crowns_1 |= domino->crowns_1 << at_a;
    kingdom->crowns_2 |= domino->crowns_2 << at_a;
    Growth growth = growths[kingdom->shape][direction][(at_a - kingdom->corner) & 63];
    kingdom->shape = growth.shape;
    kingdom->corner += growth.shift;
    return ways;
}

/* Where a square goes on to the right, or below, in the same terrain. */
typedef struct {
    uint64_t right, below;
} Links;

static inline Links links_of(const Kingdom *kingdom) {
    Links links = {0, 0};
    for (int terrain = 0; terrain < TERRAINS; terrain++) {
        uint64_t squares = kingdom->squares[terrain];
        links.right |= squares & turn(squares, -1);
        links.below |= squares & turn(squares, -8);
    }
    return links;
}

static inline uint64_t region_of(uint64_t square, const Links *links) {
    for (uint64_t region = square;;) {
        uint64_t more = region | turn(region & links->right, 1) | (turn(region, -1) & links->right);
        more |= turn(more & links->below, 8) | (turn(more, -8) & links->below);
        if (more == region)
            return region;
        region = more;
    }
}

static inline int crowns_in(const Kingdom *kingdom, uint64_t squares) {
    return __builtin_popcountll(kingdom->crowns_1 & squares) + 2 * __builtin_popcountll(kingdom->crowns_2 & squares);
}

static inline int score_of(const Kingdom *kingdom) {
    Links links = links_of(kingdom);
    int score = 0;
    for (uint64_t crowned = kingdom->crowns_1 | kingdom->crowns_2; crowned;) {
        uint64_t region = region_of(crowned & -crowned, &links);
        score += __builtin_popcountll(region) * crowns_in(kingdom, region);
        crowned &= ~region;
    }
    return score;
}

/* What decides a tie: the largest region, then the crowns. */
static int tie_break_of(const Kingdom *kingdom) {
    Links links = links_of(kingdom);
    int largest = 0;
    uint64_t rest = 0;
    for (int terrain = 0; terrain < TERRAINS; terrain++)
        rest |= kingdom->squares[terrain];
    while (rest) {
        uint64_t region = region_of(rest & -rest, &links);
        largest = most(largest, __builtin_popcountll(region));
        rest &= ~region;
    }
    return 256 * largest + crowns_in(kingdom, ~(uint64_t)0);
}

/* The next line, sorted; the dominoes before `drawn` are drawn already. */
static inline void draw_line(Random *random, uint32_t drawn, uint8_t line[4]) {
    if (drawn < DOMINOES - LINE) /* the last ones come whatever chance says */
        for (uint32_t i = drawn; i < drawn + LINE; i++) {
            uint32_t j = i + below(random, DOMINOES - i);
            uint8_t domino = deck[j];
            deck[j] = deck[i];
            deck[i] = domino;
        }
    uint8_t a = deck[drawn], b = deck[drawn + 1], c = deck[drawn + 2], d = LINE == 4 ? deck[drawn + 3] : DOMINOES;
    uint8_t low_1 = a < b ? a : b, high_1 = a < b ? b : a, low_2 = c < d ? c : d, high_2 = c < d ? d : c;
    uint8_t middle_1 = low_1 < low_2 ? low_2 : low_1, middle_2 = high_1 < high_2 ? high_1 : high_2;
    line[0] = low_1 < low_2 ? low_1 : low_2;
    line[1] = middle_1 < middle_2 ? middle_1 : middle_2;
    line[2] = middle_1 < middle_2 ? middle_2 : middle_1;
    line[3] = high_1 < high_2 ? high_2 : high_1;
}

/* A king goes to a free place of a line. */
static inline uint32_t claim(Random *random, uint32_t *free, uint8_t rulers[4], uint8_t player) {
    uint32_t amount = (uint32_t)__builtin_popcount(*free);
    uint32_t place = members[*free] >> 2 * below(random, amount) & 3;
    *free ^= 1u << place;
    rulers[place] = player;
    return amount;
}

static void play(Random *shared, Statistics *statistics) {
    Random random = *shared;
    uint32_t decisions = 0, options = 0;
    Kingdom kingdoms[PLAYERS];
    for (int player = 0; player < PLAYERS; player++) {
        uint64_t castle = 1;
        Kingdom start = {.occupied = castle, .corner = (uint32_t)-(margin(1) + 8 * margin(1))};
        for (int terrain = 0; terrain < TERRAINS; terrain++)
            start.touched[terrain] = beside[0];
        kingdoms[player] = start;
    }

    uint8_t lines[2][4], rulers[2][4], kings[LINE];
    draw_line(&random, 0, lines[0]);
    for (uint32_t i = 0; i < LINE; i++)
        kings[i] = (uint8_t)(i % PLAYERS);
    uint32_t free = (1 << LINE) - 1;
    for (uint32_t i = 0; i < LINE; i++) { /* in random order */
        uint32_t j = i + below(&random, LINE - i);
        uint8_t king = kings[j];
        kings[j] = kings[i];
        options += claim(&random, &free, rulers[0], king);
        decisions++;
    }

    for (uint32_t round = 1; round < ROUNDS; round++) {
        const uint8_t *line = lines[(round & 1) ^ 1], *ruler = rulers[(round & 1) ^ 1];
        draw_line(&random, LINE * round, lines[round & 1]);
        free = (1 << LINE) - 1;
        for (int i = 0; i < LINE; i++) {
            uint32_t ways = place(&kingdoms[ruler[i]], &dominoes[line[i]], &random);
            decisions += 1 + (ways > 0);
            options += ways + claim(&random, &free, rulers[round & 1], ruler[i]);
        }
    }
    for (int i = 0; i < LINE; i++) {
        enum { LAST = (ROUNDS & 1) ^ 1 };
        uint32_t ways = place(&kingdoms[rulers[LAST][i]], &dominoes[lines[LAST][i]], &random);
        decisions += ways > 0;
        options += ways;
    }

    int scores[PLAYERS], best = 0, tied = 0;
    int64_t keys[PLAYERS];
    for (int player = 0; player < PLAYERS; player++) {
        scores[player] = score_of(&kingdoms[player]);
        tied = scores[player] == best ? 1 : scores[player] > best ? 0 : tied;
        best = most(best, scores[player]);
        keys[player] = (int64_t)scores[player] << 16;
    }
    if (tied)
        for (int player = 0; player < PLAYERS; player++)
            keys[player] += tie_break_of(&kingdoms[player]);
    statistics->decisions += decisions;
    statistics->options += options;
    score_game(statistics, scores, keys);
    *shared = random;
}
