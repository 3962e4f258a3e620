"""The hash of controls/catalog.json, written with npm run controls."""
VERSION = '1.6.0'
SHA256 = '6f1a8361fdcb2c11eaa4e612a740b045751f5d3b4ea14596cf7ad018a6d44f7a'
