"""The data flow of statements and expressions: effects, dependences, sources, mutated zones."""
