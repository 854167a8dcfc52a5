"""What seats may know: choices, conditions and options that would tell or need a secret."""
