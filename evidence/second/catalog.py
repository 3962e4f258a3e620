"""The hash of controls/catalog.json, written with npm run controls."""
VERSION = '1.6.0'
SHA256 = 'd526687c33e90c469238fc5388a95998128ecb2bf21243b8afd283decbba3063'
