"""The hash of controls/catalog.json, written with npm run controls."""
VERSION = '1.5.0'
SHA256 = '444337a8527b92c167f634ec19cf6da344d0b62d47adc240315f8d6dd593a0df'
