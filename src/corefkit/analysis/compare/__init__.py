"""Is the difference real: intervals, tests and ranks of systems on one key.

procedure       what is tested, and how: all options of a comparison
units           texts as units, strata
sample          counts of systems, unit by unit, and the measures made of them
resampling      draws and swaps of units
tests           p-values: randomization, bootstrap, paired t
intervals       intervals of scores and differences
correction      p-values of many pairs
ranks           ranks and the letter display
comparing       from a sample to results
comparison      what comes out
"""
