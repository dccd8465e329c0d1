"""Proximal steps to a saddle point of two plans, by an interior point method."""
