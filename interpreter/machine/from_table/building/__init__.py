"""What lowering builds with: the builder, values, marks, defines, and the entry points that call each other."""
