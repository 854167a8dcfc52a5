"""Small games for spoiling: between them they use every declaration, statement and expression."""

from __future__ import annotations

LOOPS = """
game loops
    title en "Loops" uk "Цикли"
    players 2..4
option rounds: 1..5, default few
option style: calm, wild, default calm
list colour: red, green, blue
table few by players: 2: 1, 3: 2, otherwise: 3
cards card, 2 of each
    suit: colour
    rank: 1..3
cards hero
    who: ann, bob, cid
    might: 1..9
    side: colour or none
    marker wounds: 0..3
    who | might | side | copy_of
    ann | 3 | red | 1
    bob | 4 | none | 2
    cid | 9 | blue | 3
    leave out rows with copy_of > 2
zone deck: pile of card, hidden
zone hand of player: set of card, private
zone camp: set of hero, open
zone discard: pile of card, open
zone shown of player: slot of card, open
counter steps: 0..200
counter coins of player: -9..40
counter stock of colour: 0..9
marker leader: player
marker named of player: colour or none
marker ready of player: yes or no
define best_card: best of every shown by matching, then highest rank, then lowest suit
define matching of card: suit of card is named of leader
define value of card for colour
    5 if suit of card is colour and rank of card > 2
    rank of card if rank of card in 1..2
    otherwise 0
define rich: players with coins at least 3
step pay_all of player for colour
    add 1 to stock of colour
    if stock of colour > 3: end pay_all
    add 1 to coins of player
setup
    shuffle every card into deck
    move every hero to camp
    for each hero in camp with side not none: set wounds of hero to 1
    set leader to a random player
    for each player: draw 2 from deck to hand of player
phase one
    repeat rounds times
        add 1 to steps
        for each colour
            do pay_all of leader for colour
    for each player by highest coins, then lowest seat
        add seat of player to coins of player
    for each player in random order: take 1 from coins of player
    for each card in hand of leader by highest rank: add rank of card to steps
phase two
    repeat until steps > 40 at most 30 times
        step turn
            for each player clockwise from left of leader to leader
                player chooses
                    play a card from hand of player
                        only if rank of card > 1 unless hand of player has no card with rank > 1 otherwise "a {leader} plays high"
                        move card to discard
                    name a colour "name"
                        set named of player to colour
                    bid a number from 1..steps
                        pay 1 from coins of player to coins of leader
                    trade a card from hand of player and a player other face down
                        only if other is not player
                        move card to hand of other
                    if impossible: add 1 to steps
        add 2 to steps
        if deck is not empty
            let top be any card from deck
            if shown of leader is empty: draw 1 from deck to shown of leader
            otherwise: move every shown to discard
        if discard has a card with suit red: shuffle discard into deck
        if somebody with coins > 20: end game
        otherwise if count of rich is 0: add total rank of discard to steps
        otherwise: nothing
        reveal hand of leader
        set leader to right of leader
    otherwise: end game
    take turns clockwise from leader among players with ready no until nobody with ready no
        set ready of player to yes
score of player
    coins: coins of player
    hand for each card in hand of player: value of card for red if suit of card is not blue
    high: highest rank among hand of player if hand of player is not empty
    team: count of team of player - count of opponents of player / 2 rounded up
winner highest score, then most hand, then shared
variant wild_way "Wild"
    set style to wild
    replace step turn
        add 3 to steps
    add after turn
        add 1 to steps
    add to score
        extra: -1
    match of few games, highest score, then shared
        keep leader, deck
"""


PILES = """
game piles
    players 1..3
cards card, 1 of each
    rank: 1..6
    face: plain, fancy or none
cards coin, 4 of each
    worth: 1..2
zone deck: pile of card, hidden
zone spot of player: slot of card, private
zone row: set of card, open
zone purse of player: set of coin, private
zone bank: pile of coin, hidden
counter left_over: 0..50
marker flag: yes or no
marker first_one: player or none
define odd of card: rank of card mod 2 is 1
setup
    shuffle every card into deck
    shuffle every coin into bank
phase main
    for each player
        draw 1 from deck to spot of player
        draw 3 from bank to purse of player
        if spot of player is not none and rank of spot of player at least 4
            set first_one to player
    repeat until deck is empty
        draw 1 from deck to row
        player 1 chooses
            keep
                only if count of row < 4 otherwise "the row is full"
                nothing
            give a coin from purse of player 1
                move coin to bank
            put_back a card from row where odd
                move card to deck
                if left_over < 40: add 1 to left_over
            clear
                move row to box
        if left_over at least 8 or count of row > 5: end main
    for each coin in purse of player 1 by highest worth
        move coin to bank
    if first_one is not none: set flag to yes
    move a random card from every card to box
score of player
    coins: total worth of purse of player
    row: count of row where odd
    early: 3 if first_one is player and flag
winner highest score, then fewest purse, then nobody
match until somebody with score > 9, at most 3 games, highest score, then nobody
    keep first_one, spot
"""

SALES = """
game sales
    players 2..4
option highest_bid: 1..30, default 6
option step_up: 1..5, default 2
list strain: clubs, hearts, spades
cards card, 2 of each
    kind: gold, ship
    worth: 1..3
zone deck: pile of card, hidden
zone hand of player: set of card, private
zone lot: slot of card, open
zone spent: set of card, open
counter coins of player: 0..20
counter bank: 0..200
counter goal: 0..7
marker starter: player
marker strain_named: strain or none
define gold of player: hand of player with kind gold
setup
    shuffle every card into deck
    set starter to a random player
    for each player
        set coins of player to 5
        draw 2 from deck to hand of player
phase sale
    repeat until deck is empty at most 20 times
        draw 1 from deck to lot
        auction for lot
            bidders: players clockwise from starter
            bids: 1..highest_bid, each higher than the last
            a pass is final
            no bids: move lot to spent
            payment
                if kind of lot is gold: cards from hand of winner to spent
                otherwise: worth of cards from gold of winner to spent
            won: move lot to hand of winner
            cannot pay
                if hand of winner is not empty: move a random card from hand of winner to spent
                bid again without winner
        set starter to left of starter
        for each player
            player chooses
                discard 2 cards from hand of player
                    only if kind of card is ship otherwise "gold is kept"
                    move cards to spent
                    add 1 to coins of player
                pass: nothing
    otherwise: nothing
phase contract
    auction for starter
        bidders: players with coins > 2 by highest coins, then lowest seat
        bids: tricks from 1..3 and strain, each higher than the last
        a pass is not final
        won
            set goal to tricks
            set strain_named to strain
    auction for starter
        bidders: players in random order
        bids: 0..coins of bidder, each at least step_up higher than the last
        once around
        payment: coins of winner to bank
    auction for starter
        bidders: players clockwise from left of starter
        bids: amount from 0..9
        sealed
        payment: coins of winner to bank
        cannot pay: set coins of winner to 0
score of player
    ships: total worth of hand of player
    coins: coins of player
winner highest score, then shared
"""

GRIDS = """
game grids
    players 1..3
option side: 3..6, default 4
tiles tile, 1 of each
    number: 1..2
    marker boss: player or none
    shape "ab" ".c"
        land: wood, lake
        worth: 0..1
pieces tower, 1 for each player
pieces flag, 3 for each player
pieces stone, 4 of each
    hue: black, white
zone heap: pile of tile, hidden
zone realm of player: grid of tile or tower, (2 * side - 1) x 7, open
zone map: grid of flag or stone, 5 x 4, open
zone waste of player: set of tile, open
counter n: 0..60
define near of player: cells next to (realm of player with land wood)
define domain_of of player: highest size among regions of realm of player by land
step mark of player
    player chooses
        raise_flag on a cell from empty cells of map
            only if cells next to cell has no cell with hue white or n > 3 otherwise "too near"
            put flag of player on cell
        drop a cell from cells next to map and a hue
            only if cell in empty cells of map
            if hue is black: put [black] on cell
            otherwise: put [white] on cell
        lift a cell from map with owner player
            move flag of cell to box
        if impossible: add 1 to n
setup
    shuffle every tile into heap
    for each player: put tower of player on middle of realm of player
    put [black] on c2
phase play
    repeat until heap is empty or n > 40
        for each player
            add 1 to n
            do mark of player
            if heap is not empty: draw 1 from heap to waste of player
            for each tile in waste of player by lowest number
                player chooses
                    lay tile on realm of player
                        only if n > 1 otherwise "not yet"
                        so that tile touches tower of player or spot touches realm of player with worth at least 1
                            otherwise "it must touch"
                        so that width of realm of player at most side and not (height of realm of player > side)
                        so that tile touches same land or domain_of of player > 2 or count of near of player > 3
                        set boss of tile to player
                    keep
                        nothing
            move waste of player to box
    for each region in regions of map by hue
        if size of region > 2: put any stone from every stone with hue white on a1
    for each cell in (map shifted northeast) with owner player 1: add 1 to n
    move every stone to box
score of player
    lands for each region in regions of realm of player by land: size of region * total worth of region
    flags: count of map with owner player
    middle: 2 if middle of realm of player is cell of tower of player
    bosses: count of realm of player with boss player
winner highest score, then highest domain_of, then shared
"""

SMALL_GAMES = {"loops": LOOPS.lstrip(), "piles": PILES.lstrip(), "sales": SALES.lstrip(), "grids": GRIDS.lstrip()}
