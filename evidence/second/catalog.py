"""The hash of controls/catalog.json, written with npm run controls."""
VERSION = '1.2.0'
SHA256 = '01c4818f28040d94ae0c12d91ce9b3ee83cfac7a9c402bc0edf61e3c1f105ab7'
