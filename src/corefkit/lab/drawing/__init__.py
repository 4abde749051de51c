"""How figures are drawn: looks of metrics, a plan of the sheet, places, the sheet.

Only `sheets` needs matplotlib.
"""
