import { byImage, knownImage } from '../catalog/catalog.ts';
import { type Mention, mostText } from './detection.ts';

export interface Image {
  /** Without tag, digest and public registry: `aquasec/trivy`. */
  name: string;
  tag: string | null;
}

const publicRegistries = new Set([
  ...['docker.io', 'index.docker.io', 'registry-1.docker.io', 'ghcr.io', 'gcr.io', 'quay.io', 'mcr.microsoft.com'],
  ...['public.ecr.aws', 'cgr.dev', 'docker.elastic.co', 'registry.k8s.io', 'k8s.gcr.io', 'registry.gitlab.com'],
  ...['lscr.io', 'nvcr.io', 'registry.access.redhat.com', 'registry.redhat.io', 'us-docker.pkg.dev'],
]);

/** Takes the name of an image apart; undefined where a variable stands for it, or it is none. */
export function imageOf(written: string): Image | undefined {
  const plain = written.trim().replace(/^docker:\/\//, '');
  const [named = ''] = plain.split('@', 1);
  const colon = named.lastIndexOf(':');
  const hasTag = colon > named.lastIndexOf('/') && colon > 0;
  const path = hasTag ? named.slice(0, colon) : named;
  const tag = hasTag ? named.slice(colon + 1) : '';
  if (!/^[a-z0-9][a-z0-9._/:-]*$/i.test(path) || path.length > 200) return undefined;
  const [registry = '', ...rest] = path.split('/');
  const isPublic = publicRegistries.has(registry.toLowerCase());
  const name = (isPublic && rest.length > 0 ? rest.join('/') : path).replace(/^(docker\/)?library\//, '');
  return name === '' ? undefined : { name: name.toLowerCase(), tag: /^[\w][\w.-]*$/.test(tag) ? tag : null };
}

/** What an image says of a tool; undefined for a name that is none, and for `scratch`, which is nothing. */
export function imageMention(written: string, line: number): Mention | undefined {
  const image = imageOf(written);
  if (!image || image.name === 'scratch') return undefined;
  // Behind a registry of one's own stands what it mirrors.
  const known = knownImage(image.name) ?? knownImage(image.name.replace(/^[^/]*[.:][^/]*\//, ''));
  return {
    tool: known ?? byImage(image.name),
    line,
    text: written.trim().slice(0, mostText),
    version: image.tag === 'latest' ? null : image.tag,
  };
}
