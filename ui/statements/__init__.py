"""The page Statements: what may be published about an organisation's reports. `sections.show` takes any stream."""
