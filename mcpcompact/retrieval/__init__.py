"""Parts of a stored result: what ``results get`` and ``results grep`` fetch.

``selection`` applies selectors to a source, ``conditions`` are those of ``--where`` and ``--id``, ``units``
cuts a source into lines and records, ``spans`` finds values in JSON without parsing all of it, ``pages``
ends a page within a number of tokens, ``lists`` finds and sorts the list that ``paginate`` walks, ``elements`` says
what a place in JSON belongs to, ``sequences`` reads those of FASTA and its kin, ``projection`` leaves fields out.
"""
