"""The words that give statements away, by language: data only.

The patterns are matched against folded text: lower case, no apostrophes ("dont"), common misspellings put right, and
code, addresses and quotations replaced by CODE, URL and QUOTE. One pattern per line, a line that begins with a bar goes
on with the one above, and `_` is a blank. The keys are those of `Cue`.
"""
