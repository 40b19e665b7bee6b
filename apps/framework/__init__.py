"""What every app has around it: its block, its command line, its place in a launch list."""
