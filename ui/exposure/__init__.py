"""The page Exposure: benefit against exposure of groups, for whistleblowers and for any classifier."""
