"""``mcpcompact hook``: a host shows each result before its model sees it, and takes a shorter one in its place.

``entry`` is what the host starts, ``hosts`` know its JSON, ``delivery`` notes what was replaced, ``report`` reads in
recorded sessions whether the model saw it, ``install`` edits the host's settings and ``doctor`` tries them.
"""
