"""The proof that the instrument can fail: every fault of the fake system is caught by the test that is to catch it."""
