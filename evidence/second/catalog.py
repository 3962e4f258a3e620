"""The hash of controls/catalog.json, written with npm run controls."""
VERSION = '1.3.0'
SHA256 = '65f5fe8282c9ba4fa53e561206ea83b22724a7deec18638a71a5b2dee6783fce'
