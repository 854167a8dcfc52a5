"""The code of functions: expressions, sets, statements, the flow that stops, and random playouts."""
