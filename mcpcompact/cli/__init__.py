"""The command line: thin doors to the library. Only this package prints or exits."""
