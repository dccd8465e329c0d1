"""Game trees, and how to come by one."""
