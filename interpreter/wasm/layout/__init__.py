"""The layout of a module's memory: storage of variables and tables, and addresses for hosts."""
