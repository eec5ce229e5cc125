"""Flavors: what their instances ask for, and how often that still fits.

    nova         the sizes and extra specs of a flavor -> the query that nova asks
    flavor_file  a file of flavors -> Flavors
    pasted       what people paste, such as a flavor -> a query
    counting     how often each Flavor fits

Called by metrics/, handlers/ and the commands.
Source: doc/how-to/flavors.rst.
"""
