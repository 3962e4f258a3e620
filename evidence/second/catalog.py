"""The hash of controls/catalog.json, written with npm run controls."""
VERSION = '1.4.0'
SHA256 = 'a2a2780a6871c8a12b6576d59fe83de81f154c8e3ab00f6981640d9034b8e169'
