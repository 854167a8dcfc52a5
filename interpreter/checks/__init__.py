"""The checker: findings that are proved without playing, and findings from games that are played."""
