import { afterAll, expect, test } from 'vitest';
import { stringify } from 'yaml';
import { type KubernetesObject, problemsOf, readObjects } from '#testing/kubernetes.ts';
import { createChartRenderer } from './testing/chart.ts';

const chart = createChartRenderer();
afterAll(() => chart.close());

const publicUrl = 'https://sightline.example.org';
const kindsOf = (objects: readonly KubernetesObject[]) =>
  objects.map(({ kind, metadata: { name } }) => `${kind} ${name}`);

test('renders the plain manifests with its defaults', async () => {
  const header = '# The chart beside this file with its defaults. Change it there, then: npm run cluster -- -u chart\n';
  const objects = readObjects(chart.render({ publicUrl }));
  // Helm and the plain template functions differ only in order and comments.
  const manifests = objects
    .toSorted((one, other) => (`${one.kind} ${one.metadata.name}` < `${other.kind} ${other.metadata.name}` ? -1 : 1))
    .map((object) => stringify(object, { lineWidth: 0 }));
  await expect(header + manifests.map((one) => `---\n${one}`).join('')).toMatchFileSnapshot(
    '../../../deploy/kubernetes/sightline.yaml',
  );
});

test('renders valid objects with every option', async () => {
  const objects = readObjects(
    chart.render({
      publicUrl,
      config: { MAIL_FROM: 'Sightline <sightline@example.org>', SIGN_UP: 'invited' },
      imagePullSecrets: [{ name: 'registry' }],
      privateCa: '-----BEGIN CERTIFICATE-----\nMIIB\n-----END CERTIFICATE-----\n',
      api: {
        autoscaling: { enabled: true },
        nodeSelector: { 'kubernetes.io/arch': 'amd64' },
        tolerations: [{ key: 'dedicated', operator: 'Exists' }],
      },
      worker: { storageClassName: 'fast', nodeSelector: { zone: 'a' }, tolerations: [{ operator: 'Exists' }] },
      service: { annotations: { team: 'platform' } },
      ingress: { enabled: true, className: 'nginx', host: 'sightline.example.org', tlsSecretName: 'sightline-tls' },
      backup: { enabled: true, existingClaim: 'backups' },
      podMonitor: { enabled: true },
    }),
  );
  expect(await problemsOf(objects)).toEqual([]);
  expect(kindsOf(objects)).toEqual(
    expect.arrayContaining([
      'HorizontalPodAutoscaler sightline-api',
      'CronJob sightline-backup',
      'ConfigMap sightline-ca',
      'Ingress sightline',
      'PodMonitor sightline',
    ]),
  );
  const [api] = objects.filter(({ kind }) => kind === 'Deployment');
  // The autoscaler sets the number of replicas.
  expect(api?.spec).not.toHaveProperty('replicas');
  const [config] = objects.filter(({ kind }) => kind === 'ConfigMap');
  expect(config?.data).toMatchObject({ NODE_EXTRA_CA_CERTS: '/etc/sightline/ca/ca.pem', SIGN_UP: 'invited' });
});

test.each([
  [{}, 'Set publicUrl'],
  [{ publicUrl, backup: { enabled: true } }, 'Set backup.existingClaim'],
])('refuses %j and names the missing value', (values, message) => {
  expect(() => chart.render(values)).toThrow(message);
});
