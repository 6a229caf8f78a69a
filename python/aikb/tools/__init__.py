"""The doors to outside programs: one file each, and no other room opens one."""
