"""The system behind the command line. Nothing in here prints, opens a socket or exits."""
