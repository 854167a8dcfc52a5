"""The reading test: can the rules be mended from the message alone?"""
