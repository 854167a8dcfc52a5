"""A balance report as one HTML page, as text, as JSON and as rows of a table."""
