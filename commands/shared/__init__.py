"""What several commands share: options, the console, runs of many games, reports, transcripts."""
