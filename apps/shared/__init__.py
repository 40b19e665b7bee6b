"""What all apps share: reading of configuration blocks, command line, registry, replay."""
