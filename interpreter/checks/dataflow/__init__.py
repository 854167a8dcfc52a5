"""What statements and expressions read and change: effects, dependences, sources, mutated zones."""
