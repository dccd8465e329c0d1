"""The net: what commands print and save, recorded, while everything behind them changes."""
