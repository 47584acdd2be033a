"""One input (``one``), and many over one executor (``many``)."""
