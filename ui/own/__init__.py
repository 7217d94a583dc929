"""The reader's own table of reports: read, shown, and run on other pages; it never leaves the session."""
