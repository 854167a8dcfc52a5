"""Tables for several people: sessions, seats, storage, and the messages that clients get. Knows nothing of HTTP."""
