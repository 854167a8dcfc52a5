"""The bot that searches: multiple-observer information-set Monte Carlo tree search.

The method is that of Cowling, Powley and Whitehouse, "Information Set Monte Carlo Tree Search" (2012). Each iteration takes a
world that the seat cannot tell from the real game (`worlds.py`). It descends in the tree, adds one node, lets all play at random
from there to the end, and adds the reward of each seat to the nodes that it passed.

A world costs more than an iteration. So new ones are found more and more seldom, in the end for each tenth iteration: 100
iterations find 41 worlds, and 1000 find 132. The others take any of the last `workspace.POOL` worlds, with chance of their own.
They do not share one in a row, since then UCB1 would find out what is hidden in it. In tournaments at equal iterations nothing is
lost by that.

A *node* is an information set: the seat that decides, and the digest of all that it has observed. So different courses of the
game meet in a node if the seat that decides there cannot tell them apart, and each seat decides by what it knows itself. The
options of an information set are the same in all its worlds, so its visits say how often each option was available. Chance is
sampled. A decision with a single option needs no node.

Where nothing is hidden this is UCT, and a node is a position, however the game came there. A position that comes again in an
iteration ends the descent. What is certain is kept there, as in MCTS-Solver (Winands, Bjornsson and Saito, 2008): the rewards of
an option that ends the game, or leads without chance to a position that is proven. A position is proven if the seat that decides
has an option that is proven to win alone, or if all its options are proven; then it takes the best. A proven option counts as
what it is worth, without the second part of the UCB1 value, and is not played out again. An iteration that proves an option does
not count. A search ends when its first position is proven.

In a node, options that have never been tried come first, in a random order. Of a ramp (`ramps.py`), such as bids beside a pass,
only the first three are tried at first, and one more whenever the node has 16 times as many visits: this is progressive widening
(Coulom, 2007; Chaslot and others, 2008). Then the one with the greatest UCB1 value is taken::

    mean reward of the seat that decides + EXPLORATION * sqrt(ln(visits of the node) / visits of the option)

The reward of a seat is from 0 to 1, mostly its share of the win. A quarter is for the score, which tells more than who wins
after some hundred iterations, and lets a seat play on sensibly when the game is decided::

    reward   = (3 * share + standing) / 4
    standing = (1 + (n * score - sum of all scores) / (1 + n * |score| + sum of all |scores|)) / 2

``n`` is the number of seats, and the scores are those of the teams. A winning team that shares with none has the share 1; in
games that the lowest score wins, scores count as negative. A game that a fault stops gives 0 to all.

A seat that plays alone, and one of a table at which all win and lose together, plays for its score, and before all to win,
where it can fail to. As the greatest score is not known, its mean reward counts from 0 to 1 between the least and the greatest
reward that the thought has come to so far, as in single-player Monte Carlo tree search (Schadd and others, 2008) and MuZero
(Schrittwieser and others, 2020).

Nobody plays against it, so a proven option is not looked at again: what has come of another counts as no less than the best that
is proven at the same node, for the nodes before it.

In the end the seat takes the option with the most visits, among equals the one with the greatest reward, among these the one with
the lowest number; but the best of the proven ones if that wins alone, or if its reward is greater than the mean of the other. A
seat for which no world is found chooses at random. Where something is hidden, `search` ends sooner if no option can catch up any
more with the one of the most visits; the choice is the same.

The tree has room for `workspace.NODES` nodes and `workspace.EDGE_BYTES` of options. When it is full nothing is added any more,
and the iterations go on with what there is.

Some worlds do not follow from the seat's log (``at.loose``). What others have observed there is not what the log says, so their
digests are mixed with what they see.

A fault ends a thought in the middle, as in `rollouts.py`. ``search`` called again goes on with the next iteration; if ``again``
is not 0, it does the same one once more.

All of this is written for `dialect.py`: one text for the reference engine and for modules. All numbers are whole: 1 is `ONE`.
"""

from __future__ import annotations

from typing import Protocol

from .dialect import Memory, Word, count_between, select_from
from .rollouts import Table
from .workspace import (
    BUCKET,
    EDGE_OPTION,
    EDGE_PROOF,
    EDGE_SIZE,
    EDGE_TOTAL,
    EDGE_VISITS,
    EDGES,
    KEY,
    LOGS,
    NEXT,
    NODE_SEAT,
    NODE_SIZE,
    NODES,
    PATH,
    POOL,
    PROOF,
    RAMP,
    RAMP_BASE,
    RAMP_END,
    RAMP_NEXT,
    RAMP_SIZE,
    ROOTS,
    STEP,
    STEP_CHANCE,
    STEP_EDGE,
    STEP_NODE,
    STEP_SIZE,
    TRIED,
    VISITS,
    WIDTH,
    Workspace,
)
from .worlds import CHANCE_EVENT, DECISION, begin_worlds, find_world

FINDING, ITERATING = 1, 2  # what a thought is about: a world, or an iteration in it; 0: there is none
PROVED, LOOSE = 1, 2  # what was found: worlds that follow from the seat's log, or also others; 0: none
BATCH = 64  # iterations, until it is asked whether more of them can change the choice
WIDENING = 4  # a step of a ramp is added whenever the visits of its node have so many binary digits more
ALONE = 16  # so many iterations have a world each, as many more a new one every other time, and so on,
SERVES = 9  # until so many in between take one that is kept
UNIT = 1 << 16  # a whole share, or the best standing
SURE = 12 * UNIT  # the least reward of who wins alone
MOST_SCORE = 1 << 22  # scores beyond it count as this much
WON = 4 * MOST_SCORE  # what a win is to a seat alone, beside the score
NOTHING = 0  # the address of no node


class Searched(Table, Protocol):
    """A game that can be searched. ``seen``: the digest of all that a seat has observed."""

    def seen(self, seat: int, /) -> Word: ...


def search(m: Searched, at: Workspace, seat: int, iterations: int, seed: Word) -> int:
    """The option that a seat takes at the decision where the game stands; there the game stands again in the end.

    What ``seat`` and ``seed`` are does not count when a thought goes on.
    """
    done = 0
    if m.load32(at.thinking) != 0:
        done = m.load32(at.worlds)
    while done < iterations:
        until = (done // BATCH + 1) * BATCH
        if until > iterations:
            until = iterations
        done = ponder(m, at, seat, until, seed)
        if done < until or _is_settled(m, at, iterations - done) != 0:
            break
    return conclude(m, at)


def _is_settled(m: Memory, at: Workspace, left: int) -> int:
    """1 where no other option can be tried most often any more, and nothing is proved that could count more."""
    if at.open != 0:
        return 0
    most = 0
    second = 0
    edge = m.load32(at.nodes + EDGES)
    for _ in range(m.load32(at.nodes + WIDTH)):
        visits = m.load32(edge + EDGE_VISITS)
        if visits > most:
            second = most
            most = visits
        elif visits > second:
            second = visits
        edge += EDGE_SIZE
    return 1 if most - second > left else 0


def ponder(m: Searched, at: Workspace, seat: int, iterations: int, seed: Word) -> int:
    """Begin a thought, or go on with it until it has so many iterations in all: how many it has now.

    They are fewer where the position is proven. ``seed``: of the thought's own random stream. Where ``at.only`` is not 0, one
    option alone is looked at, the number before it.
    """
    if m.load32(at.thinking) == 0:
        _begin(m, at, seat, seed)
    elif m.load32(at.thinking) == ITERATING:
        if m.load32(at.again) != 0:
            _take_back(m, at)
        else:
            m.fill(at.rewards, 0, 8 * at.seats)
            m.store32(at.proof, 0)
            _learn(m, at)
            _next(m, at)
        m.store32(at.again, 0)
    while m.load32(at.worlds) < iterations and m.load32(at.nodes + PROOF) == 0:
        if m.load32(at.thinking) == FINDING and _find(m, at) != 0:
            if m.load32(at.found) != LOOSE:
                m.store32(at.found, PROVED if m.load32(at.loose) == 0 else LOOSE)
            m.store64(at.iteration, m.load64(at.generator))
            m.store32(at.nodes_before, m.load32(at.node_count))
            m.store32(at.thinking, ITERATING)
        if m.load32(at.thinking) == ITERATING:
            _iterate(m, at)
            if _learn(m, at) != 0:
                m.store32(at.thinking, FINDING)
                continue
        _next(m, at)
    m.restore(at.real)
    return m.load32(at.worlds)


def conclude(m: Searched, at: Workspace) -> int:
    """End a thought: the option that it takes."""
    m.store32(at.thinking, 0)
    return _best(m, at)


def _begin(m: Searched, at: Workspace, seat: int, seed: Word) -> None:
    m.save(at.real)
    m.offered_to(at.wanted)
    only = m.load32(at.only) - 1
    if only >= 0:
        m.fill(at.wanted, 0, (at.options + 63) // 64 * 8)
        m.store64(at.wanted + (only >> 6) * 8, Word(1) << Word(only & 63))
    m.store64(at.generator, seed)
    m.store32(at.worlds, 0)
    m.store32(at.again, 0)
    m.store32(at.found, 0)
    m.store32(at.loose, 0)
    m.store32(at.serves, 0)
    m.store32(at.pool_count, 0)
    m.store32(at.node_count, 0)
    m.store32(at.edge_end, at.edges)
    m.store32(at.proof_count, 0)
    m.store32(at.depth, 0)
    m.store32(at.greatest, 0)
    m.fill(at.shares, 0, 8 * count_between(m, at.wanted, 0, at.options))
    _add(m, at, seat, _key(m, at, seat), at.wanted)
    m.store32(at.seat, seat)
    if at.open != 0:
        m.copy(at.world, at.real, at.record_size)
    else:
        begin_worlds(m, at, seat)
    m.store32(at.thinking, FINDING)


def _next(m: Memory, at: Workspace) -> None:
    m.store32(at.worlds, m.load32(at.worlds) + 1)
    m.store32(at.thinking, FINDING)


def _take_back(m: Memory, at: Workspace) -> None:
    """Let everything be as when the iteration began."""
    m.store64(at.generator, m.load64(at.iteration))
    if m.load32(at.node_count) > m.load32(at.nodes_before):
        node = at.nodes + NODE_SIZE * m.load32(at.nodes_before)
        m.store32(at.buckets + 4 * m.load32(node + BUCKET), m.load32(node + NEXT))
        m.store32(at.edge_end, m.load32(node + EDGES))
        m.store32(at.node_count, m.load32(at.nodes_before))


def _find(m: Searched, at: Workspace) -> int:
    """1: the record at ``at.world`` is a world with random streams of its own; 0: none was found."""
    if at.open == 0:
        known = m.load32(at.pool_count)
        if known == 0 or m.load32(at.serves) == 0:
            serves = m.load32(at.worlds) // ALONE
            m.store32(at.serves, serves if serves < SERVES else SERVES)
            if find_world(m, at) != 0:
                _keep(m, at)
                return 1
            if known == 0:
                return 0
        else:
            m.store32(at.serves, m.load32(at.serves) - 1)
        kept = m.below(at.generator, known if known < POOL else POOL)
        m.copy(at.world, at.pool + at.record_size * kept, at.record_size)
    for stream in range(at.seats + 1):
        m.store64(at.world + at.streams + 8 * stream, m.word(at.generator))
    return 1


def _keep(m: Searched, at: Workspace) -> None:
    """Keep the world that was found for further iterations; the oldest goes."""
    if m.load32(at.loose) != 0:
        for seat in range(at.seats):
            if seat != m.load32(at.seat):
                _mix(m, at, seat)
    known = m.load32(at.pool_count)
    m.copy(at.pool + at.record_size * (known & (POOL - 1)), at.world, at.record_size)
    m.store32(at.pool_count, known + 1)


def _mix(m: Searched, at: Workspace, seat: int) -> None:
    """Mix the digest of a seat, in ``at.world``, with what it sees there."""
    digest = at.world + at.digest + 8 * seat
    m.store64(at.mixed, m.load64(digest))
    parts = m.load32(at.sights + 8 * seat)
    for part in range(m.load32(at.sights + 8 * seat + 4)):
        offset = at.world + m.load32(parts + 8 * part)
        for byte in range(offset, offset + m.load32(parts + 8 * part + 4)):
            m.store64(at.mixed, m.word(at.mixed) ^ Word(m.load8(byte)))
    m.store64(digest, m.word(at.mixed))


# ---- An iteration


def _iterate(m: Searched, at: Workspace) -> None:
    """Play the world to its end: by the tree as far as it goes, then at random. The path and the rewards are noted."""
    m.store32(at.depth, 0)
    m.store32(at.proof, 0)
    stop = m.restore(at.world)
    inside = 1
    while inside != 0 and stop in (DECISION, CHANCE_EVENT):
        if m.load32(at.flag) != 0:
            m.leave_off()
        if stop == CHANCE_EVENT:
            stop = m.happen(m.draw())
            if m.load32(at.depth) > 0:
                m.store32(at.path + STEP_SIZE * (m.load32(at.depth) - 1) + STEP_CHANCE, 1)
            continue
        seat = m.player()
        key = _key(m, at, seat)
        node = _node_of(m, at, seat, key)
        if node == NOTHING:
            m.offered_to(at.choices)
            if count_between(m, at.choices, 0, at.options) == 1:
                stop = m.choose(select_from(m, at.choices, 0, 0))
                continue
            node = _add(m, at, seat, key, at.choices)
        inside = 0
        if node != NOTHING and m.load32(node + PROOF) != 0:
            m.store32(at.proof, m.load32(node + PROOF))
            _take_proven(m, at, m.load32(node + PROOF))
            return
        if node != NOTHING and _was_passed(m, at, node) == 0:
            edge = _chosen(m, at, node)
            _pass(m, at, node, edge)
            if m.load32(edge + EDGE_PROOF) != 0:
                _take_proven(m, at, m.load32(edge + EDGE_PROOF))
                return
            came_to = m.choose(m.load32(edge + EDGE_OPTION))
            if came_to < 0:  # of a loose world, or two digests are equal by chance
                m.store32(at.depth, m.load32(at.depth) - 1)
            else:
                stop = came_to
                if m.load32(node + VISITS) > 0 and m.load32(at.depth) < PATH:
                    inside = 1
    ends = 0 if stop in (DECISION, CHANCE_EVENT) else 1
    if stop in (DECISION, CHANCE_EVENT):
        m.play_on()
    m.outcome()
    _reward(m, at)
    if ends != 0:
        _prove(m, at)


def _pass(m: Memory, at: Workspace, node: int, edge: int) -> None:
    """Note a step of the path."""
    depth = m.load32(at.depth)
    step = at.path + STEP_SIZE * depth
    m.store32(step + STEP_NODE, node)
    m.store32(step + STEP_EDGE, edge)
    m.store32(step + STEP_CHANCE, 0)
    m.store32(node + STEP, depth)
    m.store32(at.depth, depth + 1)


def _was_passed(m: Memory, at: Workspace, node: int) -> int:
    """Whether the path leads through a node."""
    step = m.load32(node + STEP)
    if step >= m.load32(at.depth):
        return 0
    return 1 if m.load32(at.path + STEP_SIZE * step + STEP_NODE) == node else 0


def _chosen(m: Searched, at: Workspace, node: int) -> int:
    """The edge that is taken from a node."""
    edge = m.load32(node + EDGES)
    width = m.load32(node + WIDTH)
    closed = width
    skipped = 0
    if at.ramp_count > 0:
        ramp = m.load32(node + RAMP_END) - m.load32(node + RAMP)
        steps = _steps(m.load32(node + VISITS))
        if steps < ramp:
            closed = m.load32(node + RAMP) + steps
            skipped = ramp - steps
    width -= skipped
    tried = m.load32(node + TRIED)
    if tried < width:
        left = m.below(at.generator, width - tried)
        for number in range(width):
            if number == closed:
                edge += EDGE_SIZE * skipped
            if m.load32(edge + EDGE_VISITS) == 0:
                if left == 0:
                    return edge
                left -= 1
            edge += EDGE_SIZE
    spread = _root_of_log(m, at, m.load32(node + VISITS))
    best = NOTHING
    most = Word(0)
    for number in range(width):
        if number == closed:
            edge += EDGE_SIZE * skipped
        visits = m.load32(edge + EDGE_VISITS)
        value = _value(m, at, m.load64(edge + EDGE_TOTAL), Word(visits))
        is_open = m.load32(edge + EDGE_PROOF) == 0
        if is_open:
            value = value + (Word(spread) * Word(_inverse_root(m, at, visits)) >> 20)
        if (value > most or best == NOTHING) and (is_open or at.alone == 0):
            most = value
            best = edge
        edge += EDGE_SIZE
    return best if best != NOTHING else m.load32(node + EDGES)


def _value(m: Memory, at: Workspace, total: Word, visits: Word) -> Word:
    """The mean of so many rewards, from 0 to `ONE`."""
    if at.alone == 0:
        return total // visits
    least = Word(m.load32(at.least))
    greatest = Word(m.load32(at.greatest))
    if total <= least * visits:
        return Word(0)
    over = ((total - least * visits) << 10) // visits
    return (over << 10) // (greatest - least)


def _steps(n: int) -> int:
    """How many steps of a ramp are tried in a node of so many visits."""
    steps = 3
    while n >> WIDENING > 0:
        n = n >> WIDENING
        steps += 1
    return steps


def _root_of_log(m: Memory, at: Workspace, n: int) -> int:
    """EXPLORATION * ONE * sqrt(ln n), to five binary digits of n."""
    skipped = 0
    while n >= LOGS:
        n = n >> 1
        skipped += LOGS // 2
    return m.load32(at.logs + 4 * (n + skipped))


def _inverse_root(m: Memory, at: Workspace, n: int) -> int:
    """2**20 / sqrt(n), to six binary digits of n."""
    halved = 0
    while n >= ROOTS:
        n = n >> 2
        halved += 1
    return m.load32(at.roots + 4 * n) >> halved


def _reward(m: Memory, at: Workspace) -> None:
    """Find the rewards of the game that has ended, and behind them the shares of the win."""
    total = 0
    spread = 0
    for seat in range(at.seats):
        score = _score(m, at, seat)
        total += score
        spread += score if score >= 0 else 0 - score
    for seat in range(at.seats):
        share = m.load32(at.wins + 4 * seat)
        if share > 0:
            share = UNIT * at.team // share
        if share > UNIT:
            share = UNIT
        m.store32(at.rewards + 4 * (at.seats + seat), share)
        if at.alone != 0:
            _reward_alone(m, at, seat, share)
        else:
            score = at.seats * _score(m, at, seat)
            most = 1 + spread + (score if score >= 0 else 0 - score)
            standing = Word(most + score - total) * Word(UNIT) // Word(2 * most)
            m.store32(at.rewards + 4 * seat, 12 * share + 4 * int(standing))


def _reward_alone(m: Memory, at: Workspace, seat: int, share: int) -> None:
    """The reward of a seat that plays alone or together with all, above 0."""
    reward = MOST_SCORE + 1 + _score(m, at, seat)
    if share > 0:
        reward += WON
    m.store32(at.rewards + 4 * seat, reward)
    if m.load32(at.greatest) == 0 or reward < m.load32(at.least):
        m.store32(at.least, reward)
    if reward > m.load32(at.greatest):
        m.store32(at.greatest, reward)


def _score(m: Memory, at: Workspace, seat: int) -> int:
    """The score of a seat's team; more is better."""
    score = m.load32(at.scores + 4 * seat)
    if score > MOST_SCORE:
        score = MOST_SCORE
    elif score < 0 - MOST_SCORE:
        score = 0 - MOST_SCORE
    return 0 - score if at.lowest != 0 else score


def _learn(m: Memory, at: Workspace) -> int:
    """Add the rewards to all nodes that were passed, from the last one on, and keep what is proven. 1: an option was proven."""
    proved = 0
    step = at.path + STEP_SIZE * m.load32(at.depth)
    while step > at.path:
        step -= STEP_SIZE
        node = m.load32(step + STEP_NODE)
        edge = m.load32(step + STEP_EDGE)
        if m.load32(edge + EDGE_VISITS) == 0:
            m.store32(node + TRIED, m.load32(node + TRIED) + 1)
        visits = m.load32(edge + EDGE_VISITS) + 1
        m.store32(node + VISITS, m.load32(node + VISITS) + 1)
        m.store32(edge + EDGE_VISITS, visits)
        reward = Word(m.load32(at.rewards + 4 * m.load32(node + NODE_SEAT)))
        proof = m.load32(at.proof)
        is_proven = proof != 0 and m.load32(step + STEP_CHANCE) == 0
        if node == at.nodes:
            _learn_share(m, at, edge, visits, is_proven)
        if is_proven:
            proved = 1
            m.store32(edge + EDGE_PROOF, proof)
            m.store64(edge + EDGE_TOTAL, reward * Word(visits))
            _prove_node(m, at, node, edge)
        else:
            m.store32(at.proof, 0)
            m.store64(edge + EDGE_TOTAL, m.load64(edge + EDGE_TOTAL) + reward)
            if at.alone != 0 and at.open != 0:
                _take_better(m, at, node, reward)
    return proved


def _take_better(m: Memory, at: Workspace, node: int, reward: Word) -> None:
    """The rewards are those of the best proven option of a node, if that is better than what has come of another."""
    each = m.load32(node + EDGES)
    best = NOTHING
    for _ in range(m.load32(node + WIDTH)):
        better = m.load32(each + EDGE_PROOF) != 0 and _mean(m, each) > reward
        if better and (best == NOTHING or _mean(m, each) > _mean(m, best)):
            best = each
        each += EDGE_SIZE
    if best != NOTHING:
        _take_proven(m, at, m.load32(best + EDGE_PROOF))


def _learn_share(m: Memory, at: Workspace, edge: int, visits: int, is_proven: bool) -> None:
    """Add the share of the win to those of an option of the first node, which has so many visits now."""
    total = at.shares + (edge - at.edges) // EDGE_SIZE * 8
    share = Word(m.load32(at.rewards + 4 * (at.seats + m.load32(at.nodes + NODE_SEAT))))
    m.store64(total, share * Word(visits) if is_proven else m.load64(total) + share)


def _best(m: Searched, at: Workspace) -> int:
    count = count_between(m, at.wanted, 0, at.options)
    if m.load32(at.found) == 0:
        return select_from(m, at.wanted, 0, m.below(at.generator, count))
    best = NOTHING
    proven = NOTHING
    edge = m.load32(at.nodes + EDGES)
    for _ in range(count):
        visits = m.load32(edge + EDGE_VISITS)
        total = m.load64(edge + EDGE_TOTAL)
        if m.load32(edge + EDGE_PROOF) != 0:
            if proven == NOTHING or _mean(m, edge) > _mean(m, proven):
                proven = edge
        else:
            most = m.load32(best + EDGE_VISITS) if best != NOTHING else -1
            if visits > most or (visits == most and total > m.load64(best + EDGE_TOTAL)):
                best = edge
        edge += EDGE_SIZE
    if proven != NOTHING and (best == NOTHING or _is_sure(m, at, proven) != 0 or _mean(m, proven) > _mean(m, best)):
        best = proven
    return m.load32(best + EDGE_OPTION)


def _mean(m: Memory, edge: int) -> Word:
    """The mean reward of an option; 0 where it was never tried."""
    visits = m.load32(edge + EDGE_VISITS)
    return m.load64(edge + EDGE_TOTAL) // Word(visits if visits > 0 else 1)


def _is_sure(m: Memory, at: Workspace, edge: int) -> int:
    """Whether nothing can be better than an option that is proven. A seat alone may always have a greater score."""
    return 1 if at.alone == 0 and _mean(m, edge) >= Word(SURE) else 0


# ---- What is proven


def _prove(m: Memory, at: Workspace) -> None:
    """The rewards are certain where the path has come to."""
    number = m.load32(at.proof_count) + 1
    if number < at.proofs_limit:
        m.store32(at.proof_count, number)
        m.store32(at.proof, number)
        m.copy(at.proofs + 8 * at.seats * number, at.rewards, 8 * at.seats)


def _take_proven(m: Memory, at: Workspace, proof: int) -> None:
    """The rewards are those of a proof."""
    m.copy(at.rewards, at.proofs + 8 * at.seats * proof, 8 * at.seats)


def _prove_node(m: Memory, at: Workspace, node: int, edge: int) -> None:
    """An option of a node has just been proven: ``at.proof`` and the rewards are those of the node now, if that is proven."""
    best = edge
    if _is_sure(m, at, edge) == 0:
        each = m.load32(node + EDGES)
        for _ in range(m.load32(node + WIDTH)):
            if m.load32(each + EDGE_PROOF) == 0:
                m.store32(at.proof, 0)
                return
            if _mean(m, each) > _mean(m, best):
                best = each
            each += EDGE_SIZE
    proof = m.load32(best + EDGE_PROOF)
    m.store32(node + PROOF, proof)
    m.store32(at.proof, proof)
    _take_proven(m, at, proof)


# ---- The tree


def _key(m: Searched, at: Workspace, seat: int) -> Word:
    """What tells the information set of the seat that decides from others: where nothing is hidden, a digest of the position."""
    if at.open == 0:
        return m.seen(seat)
    m.save(at.position)
    m.store64(at.mixed, Word(0))
    for word in range(at.position_words):
        m.store64(at.mixed, m.word(at.mixed) ^ m.load64(at.position + 8 * word))
    return m.word(at.mixed)


def _node_of(m: Memory, at: Workspace, seat: int, key: Word) -> int:
    """The node of an information set, or `NOTHING`.

    Buckets are never emptied. What one holds is a node if so many have been added and that one says it is in this bucket.
    """
    bucket = int(key & Word(NODES - 1))
    number = m.load32(at.buckets + 4 * bucket)
    while number >= 0 and number < m.load32(at.node_count):
        node = at.nodes + NODE_SIZE * number
        if m.load32(node + BUCKET) != bucket:
            return NOTHING
        if m.load64(node + KEY) == key and m.load32(node + NODE_SEAT) == seat:
            return node
        number = m.load32(node + NEXT)
    return NOTHING


def _add(m: Memory, at: Workspace, seat: int, key: Word, options: int) -> int:
    """A new node with a set of options; `NOTHING` where there is no room for it."""
    number = m.load32(at.node_count)
    edge = m.load32(at.edge_end)
    width = count_between(m, options, 0, at.options)
    if number == NODES or edge + EDGE_SIZE * width > at.edges_limit:
        return NOTHING
    bucket = int(key & Word(NODES - 1))
    node = at.nodes + NODE_SIZE * number
    m.store64(node + KEY, key)
    m.store32(node + NODE_SEAT, seat)
    m.store32(node + VISITS, 0)
    m.store32(node + WIDTH, width)
    m.store32(node + TRIED, 0)
    m.store32(node + PROOF, 0)
    m.store32(node + STEP, 0)
    m.store32(node + EDGES, edge)
    m.store32(node + BUCKET, bucket)
    if at.ramp_count > 0:
        _note_ramp(m, at, node, options)
    head = m.load32(at.buckets + 4 * bucket)
    if head < 0 or head >= number or m.load32(at.nodes + NODE_SIZE * head + BUCKET) != bucket:
        head = -1
    m.store32(node + NEXT, head)
    m.store32(at.buckets + 4 * bucket, number)
    for word in range((at.options + 63) >> 6):
        bits = m.load64(options + 8 * word)
        while bits != 0:
            m.store32(edge + EDGE_OPTION, (word << 6) + m.lowest(bits))
            m.store32(edge + EDGE_VISITS, 0)
            m.store32(edge + EDGE_PROOF, 0)
            m.store64(edge + EDGE_TOTAL, Word(0))
            edge += EDGE_SIZE
            bits = bits & (bits - 1)
    m.store32(at.node_count, number + 1)
    m.store32(at.edge_end, edge)
    return node


def _note_ramp(m: Memory, at: Workspace, node: int, options: int) -> None:
    """Note which of the options of a new node are a ramp: the longest, where there are several."""
    first = 0
    end = 0
    width = m.load32(node + WIDTH)
    for ramp in range(at.ramp_count):
        base = m.load32(at.ramps + RAMP_SIZE * ramp + RAMP_BASE)
        count = count_between(m, options, base, m.load32(at.ramps + RAMP_SIZE * ramp + RAMP_NEXT))
        if end - first < count and count < width:
            first = count_between(m, options, 0, base)
            end = first + count
    m.store32(node + RAMP, first)
    m.store32(node + RAMP_END, end)
