"""Tests of the virtual lab."""
