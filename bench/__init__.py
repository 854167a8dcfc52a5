"""Programs that measure speed, and yardsticks written by hand; nothing here is needed to play."""
