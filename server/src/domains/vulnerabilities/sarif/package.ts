import { packageOfPurl } from '#providers/purl.ts';
import type { ScannerResult } from '#providers/scanner.ts';
import { type JsonRecord, listOrEmpty, objectOrEmpty, storableText, valueAt } from './shapes.ts';

type Package = NonNullable<ScannerResult['package']>;

/** Returns the package of a result: from its properties, or from the text of the result or its rule. */
export function affectedPackageOf(result: JsonRecord, message: string, help: string): Package | null {
  const properties = objectOrEmpty(result.properties);
  const name = storableText(properties.component ?? properties.packageName ?? properties.package, 300);
  if (name !== undefined) {
    return {
      name,
      version:
        storableText(properties.componentVersion ?? properties.packageVersion ?? properties.version, 100) ?? null,
      fixedIn: storableText(properties.fixedVersion ?? properties.fixedIn, 100) ?? null,
    };
  }
  return packageInLocations(result) ?? packageInText(message) ?? packageInText(help);
}

/** The package of a logical location: a package URL in the SARIF of Dependency-Track, `name@version` in that of Snyk. */
function packageInLocations(result: JsonRecord): Package | null {
  for (const location of listOrEmpty(result.locations)) {
    for (const logical of listOrEmpty(objectOrEmpty(location).logicalLocations)) {
      const name = storableText(valueAt(logical, 'fullyQualifiedName'), 1000) ?? '';
      const found = packageOfPurl(name) ?? packageWithVersion(name);
      if (found) return { ...found, fixedIn: null };
    }
  }
  return null;
}

function packageWithVersion(text: string): { name: string; version: string } | undefined {
  const [, name, version] = /^(@?[^@\s]+)@(\d[^@\s]*)$/.exec(text) ?? [];
  return name === undefined || version === undefined ? undefined : { name, version };
}

const labelled = (text: string, label: string) =>
  new RegExp(`(?:^|\\n)${label}: *([^\\n]{1,200})`, 'i').exec(text)?.[1]?.trim() || undefined;

/** Parses the texts of Trivy, Grype and OSV-Scanner. */
function packageInText(text: string): Package | null {
  const name = labelled(text, 'Package');
  const version = labelled(text, 'Installed Version');
  if (name !== undefined && version !== undefined) {
    return { name, version, fixedIn: labelled(text, 'Fixed Version') ?? null };
  }
  const grype = /vulnerability in (?:\S+ )?package: (\S+), version (\S+?)(?: was found|,|$)/i.exec(text);
  if (grype?.[1] !== undefined) return { name: grype[1], version: grype[2] ?? null, fixedIn: null };
  const osv = /^Package '([^'\s]+)@([^'\s]+)' is vulnerable to/i.exec(text);
  return osv?.[1] === undefined ? null : { name: osv[1], version: osv[2] ?? null, fixedIn: null };
}
