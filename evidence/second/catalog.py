"""The hash of controls/catalog.json, written with npm run controls."""
VERSION = '1.5.0'
SHA256 = 'cd8b0b0df72d720bd0ec6822e59aa3cac7abb6be233d7611416d5f206fd38ef7'
