import { z } from 'zod';
import { createFormData } from '#core/outbound.ts';
import type { Kind, SettingsOf } from '../kind.ts';
import { below, DeliveryRejected, type ReceiverAnswer, type ReceiverRequest } from '../receiver-client.ts';
import type { SnapshotContent } from '../snapshot-content.ts';
import { summaryTextOf } from '../summary.ts';

const found = z.object({
  data: z.array(z.object({ name: z.string(), artifacts: z.object({ totalCount: z.number() }).optional() })),
});
const uploaded = z.object({ fileKey: z.string() });
const created = z.object({ artifactsRequested: z.number(), artifactsCreated: z.number() });

/** Adds a snapshot with its files to the evidence library as one item, which is never overwritten. */
export const drata: Kind<SettingsOf<'drata'>> = {
  replaces: false,
  items: () => [{ key: 'evidence', label: 'Evidence with its files' }],
  sender({ settings: { url, workspaceId, ownerId, controlIds }, secret }, client) {
    client.redact(secret);
    const ask = ({
      path,
      ...rest
    }: Omit<ReceiverRequest, 'url' | 'message'> & { path: string }): Promise<ReceiverAnswer> =>
      client.request({
        ...rest,
        url: below(url, `public/v2/workspaces/${workspaceId}/${path}`),
        headers: { ...rest.headers, authorization: `Bearer ${secret}` },
        messages: {
          401: 'Drata rejects this API key.',
          403: 'The API key lacks “List Evidence” and “Create Evidence” of the evidence library.',
          404: `Drata has no workspace ${workspaceId}.`,
          412: 'Accept the API terms at Drata first.',
          413: 'The file is too large for Drata.',
        },
      });
    const upload = async ({ name, type, content }: UploadFile): Promise<string> => {
      const form = await createFormData();
      form.append('file', new Blob([content], { type }), name);
      return expected(uploaded, (await ask({ method: 'POST', path: 'evidence-files', body: form })).json).fileKey;
    };
    return {
      async test() {
        await ask({ method: 'GET', path: 'evidence?size=1' });
        return `The key can read the evidence of workspace ${workspaceId} at Drata.`;
      },
      async send(snapshot, { id }) {
        const name = nameOf(snapshot, id);
        const files = filesOf(snapshot);
        const artifactCount = files.length + 1;
        const search = new URLSearchParams({ name, 'expand[]': 'artifacts' });
        const { data } = expected(found, (await ask({ method: 'GET', path: `evidence?${search}` })).json);
        const existing = data.find((one) => one.name === name);
        if (existing) {
          requireAllArtifacts(existing.artifacts?.totalCount ?? artifactCount, artifactCount);
          return { state: 'sent', message: 'Already at Drata.' };
        }
        const filedAt = (snapshot.snapshot.takenAt ?? snapshot.manifest.period.to).slice(0, 10);
        const artifacts: unknown[] = [];
        for (const file of files) {
          artifacts.push({ type: 'S3_FILE', artifactName: file.name, fileKey: await upload(file), filedAt });
        }
        artifacts.push({ type: 'URL', artifactName: 'Snapshot in Sightline', url: snapshot.href, filedAt });
        const body = {
          name,
          description: summaryTextOf(snapshot).slice(0, 30_000),
          artifacts,
          renewalScheduleType: 'NONE',
          ...(ownerId !== null && { ownerId }),
          ...(controlIds.length > 0 && { controlIds }),
        };
        const { json } = await ask({
          method: 'POST',
          path: 'evidence',
          headers: { 'content-type': 'application/json' },
          body: JSON.stringify(body),
        });
        const { artifactsCreated, artifactsRequested } = expected(created, json);
        requireAllArtifacts(artifactsCreated, artifactsRequested);
        return { state: 'sent', message: `Added as “${name}” with ${artifactCount} artifacts.` };
      },
    };
  },
};

/** The name identifies a repeated delivery, because Drata has no idempotency keys. */
const nameOf = ({ manifest }: SnapshotContent, id: string): string => `${manifest.name} (Sightline ${id.slice(0, 13)})`;

function requireAllArtifacts(present: number, required: number): void {
  if (present >= required) return;
  throw new DeliveryRejected(
    'rejected',
    `The evidence at Drata has only ${present} of ${required} artifacts. Delete it there and send it again.`,
  );
}

interface UploadFile {
  name: string;
  type: string;
  content: Uint8Array<ArrayBuffer>;
}

/** The files of types that Drata accepts as artifacts. The bundle contains all others. */
function filesOf({ file, bundle }: SnapshotContent): UploadFile[] {
  const picked = [
    ['report.pdf', 'application/pdf'],
    ['csv/controls.csv', 'text/csv'],
    ['oscal/assessment-results.json', 'application/json'],
  ] as const;
  return [
    ...picked.flatMap(([path, type]) => {
      const content = file(path);
      return content ? [{ name: path.slice(path.lastIndexOf('/') + 1), type, content: new Uint8Array(content) }] : [];
    }),
    { name: bundle.name, type: 'application/zip', content: new Uint8Array(bundle.content) },
  ];
}

function expected<T>(schema: z.ZodType<T>, json: unknown): T {
  const read = schema.safeParse(json);
  if (!read.success) throw new DeliveryRejected('rejected', 'Drata returned an unsupported response.');
  return read.data;
}
