"""Makes `tests` a package for every test, so that `from tests.support.traces import ...` works everywhere."""

from hypothesis import settings

# How long an example takes says more about the machine than about the code.
settings.register_profile("rtgauge", deadline=None)
settings.load_profile("rtgauge")
