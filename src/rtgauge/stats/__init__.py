"""Statistics of one series: one pure function per file, found by being there.

A file that defines `STATISTIC` is one. Some belong to every summary; the others are computed where the series of a test
names them (`analyse` of its descriptor).
"""
