import { mkdir, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import ts from 'typescript5';
import { parseAllDocuments } from 'yaml';

export interface KubernetesObject {
  apiVersion: string;
  kind: string;
  metadata: { name: string };
  [field: string]: unknown;
}

export function readObjects(text: string): KubernetesObject[] {
  return parseAllDocuments(text).map((document) => {
    if (document.errors.length > 0) throw document.errors[0];
    return document.toJS() as KubernetesObject;
  });
}

const moduleOf = ({ apiVersion, kind }: KubernetesObject): string =>
  `${apiVersion.startsWith('monitoring.coreos.com/') ? '@kubernetes-models/prometheus-operator' : 'kubernetes-models'}/${apiVersion}/${kind}`;

/**
 * Returns the problems of objects according to the schemas of the Kubernetes API: invalid values, missing and unknown
 * fields.
 */
export async function problemsOf(objects: readonly KubernetesObject[]): Promise<string[]> {
  const invalid = await Promise.all(objects.map(invalidityOf));
  return [...invalid.flat(), ...(await unknownFields(objects))];
}

interface Model {
  validate: () => void;
}

async function invalidityOf(object: KubernetesObject): Promise<string[]> {
  const models = (await import(moduleOf(object))) as Record<string, new (data: KubernetesObject) => Model>;
  const Kind = models[object.kind];
  if (!Kind) return [`${object.apiVersion} has no ${object.kind}`];
  try {
    new Kind(object).validate();
    return [];
  } catch (error) {
    return [`${object.kind} ${object.metadata.name}: ${(error as Error).message}`];
  }
}

/** Finds unknown fields with the types of the same schemas, because the validators accept any field. */
async function unknownFields(objects: readonly KubernetesObject[]): Promise<string[]> {
  const folder = fileURLToPath(new URL(`../../../.cache/kubernetes-${process.pid}`, import.meta.url));
  await mkdir(folder, { recursive: true });
  try {
    const file = join(folder, 'objects.ts');
    const lines = objects.flatMap((object, index) => [
      `import type { I${object.kind} as Kind${index} } from '${moduleOf(object)}';`,
      `export const object${index}: Kind${index} = ${JSON.stringify(object)};`,
    ]);
    await writeFile(file, lines.join('\n'));
    const program = ts.createProgram([file], {
      strict: true,
      noEmit: true,
      skipLibCheck: true,
      types: [],
      module: ts.ModuleKind.NodeNext,
      moduleResolution: ts.ModuleResolutionKind.NodeNext,
    });
    return ts
      .getPreEmitDiagnostics(program)
      .map(({ messageText }) => ts.flattenDiagnosticMessageText(messageText, ' '));
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}
