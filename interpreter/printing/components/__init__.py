"""Print and play: the cards, tiles, boards, tokens and score pads of a game, at their real sizes, on sheets of paper."""
