"""The language server: what an editor asks, over the Language Server Protocol. The answers come from `interpreter/editing`."""
