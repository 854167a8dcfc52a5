"""The balance report: games of strong players, what they say about the rules, and how sure that is."""
