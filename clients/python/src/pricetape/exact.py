"""Decimals that lose no digit."""

from decimal import Context, Inexact, InvalidOperation

EXACT = Context(prec=200, traps=[Inexact, InvalidOperation])
