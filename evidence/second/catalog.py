"""The hash of controls/catalog.json, written with npm run controls."""
VERSION = '1.6.0'
SHA256 = '3f876d4cabd9034d9819f9a37f8aae0c9bc333b301839f96cb4acb324bade68f'
