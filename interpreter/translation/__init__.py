"""The words of a game in other languages: what there is to translate, and the files of translations beside the rules."""
