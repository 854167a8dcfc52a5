"""How fast is it, and beside what? Programs that measure, and yardsticks written by hand; nothing here is needed to play."""
