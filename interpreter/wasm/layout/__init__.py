"""The layout of a module's memory: places of variables and tables, and addresses for hosts."""
