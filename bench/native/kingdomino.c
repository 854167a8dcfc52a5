/* How fast can whole random games of `games/kingdomino.rules` be? By hand for this one game: 2 to 4 players, no variants.

   gcc -O3 -march=native -DPLAYERS=4 kingdomino.c -o kingdomino && ./kingdomino 1

   A kingdom is sets of squares in words of 64 bits: square (x, y) is bit x + 8 y modulo 64. The coordinates are not bounded: all
   that matters lies in a window of 7 x 7 around the kingdom (which see), and in such a window no two squares share a bit. So
   "one to the right" is a rotation, and all places of a domino that lies in one direction are one expression. */

#ifndef PLAYERS
#define PLAYERS 4
#endif

#include "measure.h"

enum {
    SIDE = 5,
    TERRAINS = 6,
    DOMINOES = 48,
    LINE = PLAYERS == 3 ? 3 : 4,
    ROUNDS = PLAYERS == 2 ? 6 : 12
};

typedef struct {
    uint8_t terrain_a, terrain_b, crowns_a, crowns_b;
    uint64_t turned; /* all ones, but 0 where the halves are equal: it is no other option then */
} Domino;

/* games/data/kingdomino.csv: terrain and crowns of either half, in the order of the numbers. */
static const char halves[] =
    "w0w0 w0w0 f0f0 f0f0 f0f0 f0f0 l0l0 l0l0 l0l0 p0p0 p0p0 s0s0 w0f0 w0l0 w0p0 w0s0 "
    "f0l0 f0p0 w1f0 w1l0 w1p0 w1s0 w1m0 f1w0 f1w0 f1w0 f1w0 f1l0 f1p0 l1w0 l1w0 l1f0 "
    "l1f0 l1f0 l1f0 w0p1 l0p1 w0s1 p0s1 m1w0 w0p2 l0p2 w0s2 p0s2 m2w0 s0m2 s0m2 w0m3 ";

typedef struct {
    uint64_t occupied;
    uint64_t squares[TERRAINS]; /* of each terrain */
    uint64_t touched[TERRAINS]; /* beside those, or beside the castle */
    uint64_t ones, twos;        /* the binary digits of the crowns on each square */
    int left, top, width, height;
} Kingdom;

static Domino dominoes[DOMINOES];
static uint8_t deck[DOMINOES];     /* in any order: each shuffle goes on from the last */
static uint8_t members[1 << 4];    /* the elements of a set of places in a line, two bits each */
static uint64_t frames[SIDE + 1][SIDE + 1]; /* of width and height: where the kingdom can grow in one move, from bit 0 */

/* How far it can grow in one move to one side: a domino is two long, and the whole stays at most SIDE wide. */
static const int8_t margins[SIDE + 1] = {0, 2, 2, 2, 1, 0};

static inline uint64_t turn(uint64_t squares, int by) { return squares << (by & 63) | squares >> (-by & 63); }

static inline uint64_t beside(uint64_t squares) {
    return turn(squares, 1) | turn(squares, -1) | turn(squares, 8) | turn(squares, -8);
}

static void prepare(void) {
    static const char letters[] = "wflpsm";
    for (int i = 0; i < DOMINOES; i++) {
        const char *half = halves + 5 * i;
        dominoes[i] = (Domino){(uint8_t)(strchr(letters, half[0]) - letters), (uint8_t)(strchr(letters, half[2]) - letters),
                               (uint8_t)(half[1] - '0'), (uint8_t)(half[3] - '0'), memcmp(half, half + 2, 2) ? ~(uint64_t)0 : 0};
        deck[i] = (uint8_t)i;
    }
    for (unsigned set = 0; set < 16; set++)
        for (unsigned place = 0, k = 0; place < 4; place++)
            if (set >> place & 1)
                members[set] |= (uint8_t)(place << 2 * k++);
    for (int width = 1; width <= SIDE; width++)
        for (int height = 1; height <= SIDE; height++)
            for (int y = 0; y < height + 2 * margins[height]; y++)
                for (int x = 0; x < width + 2 * margins[width]; x++)
                    frames[width][height] |= (uint64_t)1 << (x + 8 * y);
}

static inline int least(int a, int b) { return a < b ? a : b; }
static inline int most(int a, int b) { return a > b ? a : b; }

/* Place a domino somewhere, if it can be: the number of ways. */
static inline uint32_t place(Kingdom *kingdom, const Domino *domino, Random *random) {
    int margin_x = margins[kingdom->width], margin_y = margins[kingdom->height];
    int corner = kingdom->left - margin_x + 8 * (kingdom->top - margin_y);
    uint64_t empty = turn(frames[kingdom->width][kingdom->height], corner) & ~kingdom->occupied;
    uint64_t a = kingdom->touched[domino->terrain_a] & empty;
    uint64_t b = kingdom->touched[domino->terrain_b] & empty;
    /* Where half a can lie, when half b is right of it, below, left, above. */
    uint64_t right = (a & turn(empty, -1)) | (empty & turn(b, -1));
    uint64_t below_ = (a & turn(empty, -8)) | (empty & turn(b, -8));
    uint64_t left = ((a & turn(empty, 1)) | (empty & turn(b, 1))) & domino->turned;
    uint64_t above = ((a & turn(empty, 8)) | (empty & turn(b, 8))) & domino->turned;
    uint32_t to_right = (uint32_t)__builtin_popcountll(right);
    uint32_t to_below = to_right + (uint32_t)__builtin_popcountll(below_);
    uint32_t to_left = to_below + (uint32_t)__builtin_popcountll(left);
    uint32_t ways = to_left + (uint32_t)__builtin_popcountll(above);
    if (!ways)
        return 0;

    uint32_t k = below(random, ways), before = 0;
    uint64_t places = right;
    int direction = 1;
    if (k >= to_right)
        places = below_, before = to_right, direction = 8;
    if (k >= to_below)
        places = left, before = to_below, direction = -1;
    if (k >= to_left)
        places = above, before = to_left, direction = -8;
    int at_a = (int)select_bit(places, k - before), at_b = (at_a + direction) & 63;
    a = (uint64_t)1 << at_a;
    b = (uint64_t)1 << at_b;

    kingdom->occupied |= a | b;
    kingdom->squares[domino->terrain_a] |= a;
    kingdom->squares[domino->terrain_b] |= b;
    kingdom->touched[domino->terrain_a] |= beside(a);
    kingdom->touched[domino->terrain_b] |= beside(b);
    kingdom->ones |= (uint64_t)(domino->crowns_a & 1) << at_a | (uint64_t)(domino->crowns_b & 1) << at_b;
    kingdom->twos |= (uint64_t)(domino->crowns_a >> 1) << at_a | (uint64_t)(domino->crowns_b >> 1) << at_b;

    int a_in = (at_a - corner) & 63, b_in = (at_b - corner) & 63;
    int first_x = least(margin_x, least(a_in & 7, b_in & 7)), first_y = least(margin_y, least(a_in >> 3, b_in >> 3));
    int last_x = most(margin_x + kingdom->width - 1, most(a_in & 7, b_in & 7));
    int last_y = most(margin_y + kingdom->height - 1, most(a_in >> 3, b_in >> 3));
    kingdom->left += first_x - margin_x;
    kingdom->top += first_y - margin_y;
    kingdom->width = last_x - first_x + 1;
    kingdom->height = last_y - first_y + 1;
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
    return __builtin_popcountll(kingdom->ones & squares) + 2 * __builtin_popcountll(kingdom->twos & squares);
}

static inline int score_of(const Kingdom *kingdom) {
    Links links = links_of(kingdom);
    int score = 0;
    for (uint64_t crowned = kingdom->ones | kingdom->twos; crowned;) {
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
        Kingdom start = {.occupied = castle, .width = 1, .height = 1};
        for (int terrain = 0; terrain < TERRAINS; terrain++)
            start.touched[terrain] = beside(castle);
        kingdoms[player] = start;
    }

    uint8_t lines[2][4], rulers[2][4], kings[LINE];
    draw_line(&random, 0, lines[0]);
    for (uint32_t i = 0; i < LINE; i++) /* the kings in random order: each goes to a random place among those before it */
        kings[i] = (uint8_t)(i % PLAYERS);
    uint32_t free = (1 << LINE) - 1;
    for (uint32_t i = 0; i < LINE; i++) {
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
