"""The page Evidence: everything the paper shows, computed anew and held against it."""
