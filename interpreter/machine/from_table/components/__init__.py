"""Lowering of components: where they are, how they move, who sees and knows them."""
