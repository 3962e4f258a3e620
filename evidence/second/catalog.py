"""The hash of controls/catalog.json, written with npm run controls."""
VERSION = '1.5.0'
SHA256 = '05b10a37fab7b20b7424e3bd3b3fa1dfd5f99d60a9e7824d08916fc88f7935ee'
