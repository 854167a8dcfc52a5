"""The engines that play whole games: the interface, the reference executor, the module."""
