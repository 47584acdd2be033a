"""Configuration files, the settings in force, and policies by server and tool.

``schema`` is the table of all settings, ``checking`` names every mistake of a file, ``effective`` puts the layers
together and follows a file that changes.
"""
