"""Many tables of one game, played with the same luck: which tables, playing them, and what stands out."""
