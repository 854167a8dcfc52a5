"""The tools of the lowering: the builder, values, marks, defines, and the entry points that call each other."""
