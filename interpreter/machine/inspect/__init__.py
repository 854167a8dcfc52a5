"""Machines shown in print, and checked against their promises."""
