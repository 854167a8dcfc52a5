"""Modules in use: compiling, instances, calls, records, and the fast executor."""
