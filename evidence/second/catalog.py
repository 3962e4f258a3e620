"""The hash of controls/catalog.json, written with npm run controls."""
VERSION = '1.3.0'
SHA256 = 'e4f42382484abc68802151902d47eeeacb6c16fd7523a3fbf5091533d3910ca0'
