"""The checker: what is proved without playing, and what comes up in play."""
