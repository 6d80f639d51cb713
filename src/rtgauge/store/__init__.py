"""Run folders, their readers, and the catalogue that indexes them."""
