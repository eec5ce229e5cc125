"""The servers that tests start beside the service, and the machines and accounts they run on."""
