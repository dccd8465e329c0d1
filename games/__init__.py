"""The games themselves, one file each, and the registry that names them."""
