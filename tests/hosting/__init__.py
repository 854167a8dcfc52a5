"""Tables for several people, played by clients that only read messages."""
