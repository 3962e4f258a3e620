import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { join } from 'node:path';

/** The part of a CycloneDX document that the release reads. */
export interface Sbom {
  serialNumber: string;
  version: number;
  metadata: { timestamp: string; component: { name: string; version: string } };
  components: Component[];
}

export interface Component {
  'bom-ref': string;
  name: string;
  group?: string;
  version?: string;
  components?: Component[];
}

interface SbomRequest {
  /** The folder with the packages of the release tools. */
  tools: string;
  /** The folder that contains package.json and package-lock.json. */
  folder: string;
  version: string;
  createdAt: Date;
}

/**
 * Creates the CycloneDX 1.6 document of the packages in a lock file, without those for development. The generator
 * validates it against the schema. The same lock file and `createdAt` give the same document. `npm sbom --omit dev` is
 * not used, because it omits every package that a development package needs too.
 */
export function createSbom({ tools, folder, version, createdAt }: SbomRequest): Sbom {
  const cli = join(tools, 'node_modules', '@cyclonedx', 'cyclonedx-npm', 'bin', 'cyclonedx-npm-cli.js');
  const options = ['--omit', 'dev', '--package-lock-only', '--output-reproducible', '--validate'];
  const format = ['--spec-version', '1.6', '--output-format', 'JSON', '--mc-type', 'application'];
  const output = execFileSync(process.execPath, [cli, ...options, ...format, '--output-file', '-'], {
    cwd: folder,
    encoding: 'utf8',
    maxBuffer: 64 * 1024 * 1024,
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const sbom = JSON.parse(output) as Sbom;
  return {
    ...sbom,
    serialNumber: `urn:uuid:${uuidFromText(output)}`,
    metadata: {
      ...sbom.metadata,
      timestamp: createdAt.toISOString(),
      component: { ...sbom.metadata.component, version },
    },
  };
}

/** Returns a UUID (RFC 9562, version 8) that depends only on `text`. */
export function uuidFromText(text: string): string {
  const bytes = createHash('sha256').update(text).digest().subarray(0, 16);
  bytes[6] = ((bytes[6] as number) & 0x0f) | 0x80;
  bytes[8] = ((bytes[8] as number) & 0x3f) | 0x80;
  return bytes.toString('hex').replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5');
}

/** Returns every component, including nested ones. */
export function allComponents(sbom: Pick<Sbom, 'components'>): Component[] {
  return sbom.components.flatMap((component) => [
    component,
    ...allComponents({ components: component.components ?? [] }),
  ]);
}

/** The name of the npm package. */
export function npmPackageNameOf({ group, name }: Component): string {
  return group === undefined ? name : `${group}/${name}`;
}
