"""Makes `tests` a package for every test, so that `from tests.support.traces import ...` works everywhere."""
