"""Solutions, the folders they are saved in, and the records that are printed."""
