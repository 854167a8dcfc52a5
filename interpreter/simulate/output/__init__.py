"""Statistics of a run as pages, json, csv, Parquet and plots."""
