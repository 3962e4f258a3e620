import { readFileSync } from 'node:fs';
import { Ajv } from 'ajv';
import { expect, test } from 'vitest';
import { parse } from 'yaml';
import { environmentVariables } from '#config.ts';
import { releaseVersion } from '#database/release.ts';
import { type KubernetesObject, problemsOf, readObjects } from '#testing/kubernetes.ts';

const read = (path: string) => readFileSync(new URL(`../../../deploy/kubernetes/${path}`, import.meta.url), 'utf8');
const objects = readObjects(read('sightline.yaml'));
const ofKind = (kind: string) => objects.filter((object) => object.kind === kind);

interface PodSpec {
  automountServiceAccountToken: boolean;
  securityContext: { runAsNonRoot: boolean };
  containers: { name: string; image: string; securityContext: object; env: { name: string; value: string }[] }[];
}
const podsOf = ({ spec }: KubernetesObject) => (spec as { template: { spec: PodSpec } }).template.spec;

test('the manifests for Kubernetes match the schemas of its API', { tags: ['full'], timeout: 60_000 }, async () => {
  expect(await problemsOf(objects)).toEqual([]);
});

test('the manifests run servers and a worker of this release, restricted', () => {
  const pods = [...ofKind('Deployment'), ...ofKind('StatefulSet')].map(podsOf);
  expect(pods.map(({ containers }) => containers.map(({ env }) => env[0]))).toEqual([
    [{ name: 'ROLE', value: 'api' }],
    [{ name: 'ROLE', value: 'worker' }],
  ]);
  for (const { automountServiceAccountToken: token, securityContext, containers } of pods) {
    expect(token).toBe(false);
    expect(securityContext.runAsNonRoot).toBe(true);
    for (const container of containers) {
      expect(container.image).toBe(`sightline:${releaseVersion}`);
      expect(container.securityContext).toEqual({
        allowPrivilegeEscalation: false,
        readOnlyRootFilesystem: true,
        capabilities: { drop: ['ALL'] },
      });
    }
  }
});

test('the manifests set only variables that the server reads', () => {
  const names = ofKind('ConfigMap').flatMap(({ data }) => Object.keys(data as object));
  expect(names.length).toBeGreaterThan(3);
  expect(names.filter((name) => !Object.hasOwn(environmentVariables, name))).toEqual([]);
});

test('the chart has the version of the release, and its schema accepts only its values', () => {
  expect(parse(read('chart/Chart.yaml'))).toMatchObject({ version: releaseVersion, appVersion: releaseVersion });
  const validate = new Ajv({ strict: false }).compile(JSON.parse(read('chart/values.schema.json')));
  const values = { ...parse(read('chart/values.yaml')), publicUrl: 'https://sightline.example.org' };
  expect([validate(values), validate.errors]).toEqual([true, null]);
  expect(validate({ ...values, publicUrl: 'sightline.example.org' })).toBe(false);
  expect(validate({ ...values, wroker: { replicas: 2 } })).toBe(false);
});
