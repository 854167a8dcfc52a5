"""What is wrong with rules, whatever is played? A file a family: each looks at a whole file, at one table or at all of them."""
