"""The hash of controls/catalog.json, written with npm run controls."""
VERSION = '1.6.0'
SHA256 = '3119185f85f27f0c1c8e57a6710625e45bdb14aea5ea1a1a9fd75319778b8ba8'
