/** The name and version of a package URL, such as `pkg:npm/%40scope/name@1.0.0`; undefined if it is none. */
export function packageOfPurl(purl: string): { name: string; version: string | null } | undefined {
  // https://github.com/package-url/purl-spec: scheme, type, namespace, name, version, qualifiers, subpath.
  const parts = /^pkg:\/{0,2}([a-z0-9.+-]+)\/([^?#]+)/i.exec(purl.trim());
  if (!parts) return undefined;
  const [, type = '', path = ''] = parts;
  const at = path.lastIndexOf('@');
  const [named, version] = at > 0 ? [path.slice(0, at), path.slice(at + 1)] : [path, undefined];
  const names = named
    .split('/')
    .filter((part) => part !== '')
    .map(decoded);
  if (names.length === 0) return undefined;
  // Maven separates the group from the artifact by a colon.
  return { name: names.join(type.toLowerCase() === 'maven' ? ':' : '/'), version: version ? decoded(version) : null };
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}
