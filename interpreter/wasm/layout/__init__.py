"""Where variables, tables and functions for hosts lie in the memory of a module."""
