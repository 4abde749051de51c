"""How figures are drawn: looks of metrics, a plan of the sheet, places, the sheet.

Only `planning`, which measures texts, and `sheets` need matplotlib.
"""
