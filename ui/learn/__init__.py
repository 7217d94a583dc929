"""Lessons and the guided tour."""
