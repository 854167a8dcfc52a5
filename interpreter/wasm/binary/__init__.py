"""WebAssembly modules as values, as bytes and as text."""
