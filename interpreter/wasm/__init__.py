"""Machine to WebAssembly module, and the running of such modules."""
