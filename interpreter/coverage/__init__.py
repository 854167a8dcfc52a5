"""Which lines, options, table rows, tie-breaks and triggers have been reached by the games that were played?"""
