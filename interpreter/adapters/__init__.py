"""Environments for other people's algorithms: OpenSpiel, PettingZoo and Gymnasium."""
