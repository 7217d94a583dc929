"""From a file of reports, as people export them, to a table of counts: read, understood, cleaned, or refused."""
