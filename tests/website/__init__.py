"""The documentation site: how its pages are prepared, and what is built of them."""
