"""Lowering of grids: boards, cells, lines, regions, laying of tiles, steps of pieces."""
