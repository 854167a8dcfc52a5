"""The commands of `rulesrun`, one module each, and what several of them share."""
