"""The page Privacy audit, view by view."""
