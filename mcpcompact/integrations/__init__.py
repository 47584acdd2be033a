"""The pipeline where results are made: one thin module a framework, imported only by whoever uses it."""
