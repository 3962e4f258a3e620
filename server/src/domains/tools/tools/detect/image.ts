import { catalogedToolOfImage, toolOfImage } from '../catalog/catalog.ts';
import { MAX_TEXT_LENGTH, type ToolReference } from './detection.ts';

export interface ImageReference {
  /** Without tag, digest and public registry, such as `aquasec/trivy`. */
  name: string;
  tag: string | null;
}

const publicRegistries = new Set([
  ...['docker.io', 'index.docker.io', 'registry-1.docker.io', 'ghcr.io', 'gcr.io', 'quay.io', 'mcr.microsoft.com'],
  ...['public.ecr.aws', 'cgr.dev', 'docker.elastic.co', 'registry.k8s.io', 'k8s.gcr.io', 'registry.gitlab.com'],
  ...['lscr.io', 'nvcr.io', 'registry.access.redhat.com', 'registry.redhat.io', 'us-docker.pkg.dev'],
]);

/** Parses an image reference; undefined for a variable or invalid name. */
export function parseImageReference(written: string): ImageReference | undefined {
  const plain = written.trim().replace(/^docker:\/\//, '');
  const [reference = ''] = plain.split('@', 1);
  const colon = reference.lastIndexOf(':');
  const hasTag = colon > reference.lastIndexOf('/') && colon > 0;
  const path = hasTag ? reference.slice(0, colon) : reference;
  const tag = hasTag ? reference.slice(colon + 1) : '';
  if (!/^[a-z0-9][a-z0-9._/:-]*$/i.test(path) || path.length > 200) return undefined;
  const [registry = '', ...segments] = path.split('/');
  const isPublic = publicRegistries.has(registry.toLowerCase());
  const name = (isPublic && segments.length > 0 ? segments.join('/') : path).replace(/^(docker\/)?library\//, '');
  return name === '' ? undefined : { name: name.toLowerCase(), tag: /^[\w][\w.-]*$/.test(tag) ? tag : null };
}

/** Returns the tool of an image; undefined for an invalid name, and for the empty image `scratch`. */
export function imageMention(written: string, line: number): ToolReference | undefined {
  const image = parseImageReference(written);
  if (!image || image.name === 'scratch') return undefined;
  // A private registry may mirror a cataloged image.
  const cataloged =
    catalogedToolOfImage(image.name) ?? catalogedToolOfImage(image.name.replace(/^[^/]*[.:][^/]*\//, ''));
  return {
    tool: cataloged ?? toolOfImage(image.name),
    line,
    text: written.trim().slice(0, MAX_TEXT_LENGTH),
    version: image.tag === 'latest' ? null : image.tag,
  };
}
