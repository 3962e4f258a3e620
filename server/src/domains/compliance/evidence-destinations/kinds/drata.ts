import { z } from 'zod';
import { createFormData } from '#core/outbound.ts';
import type { FrozenSnapshot } from '../frozen-snapshot.ts';
import type { Kind, SettingsOf } from '../kind.ts';
import { below, NotTaken, type ReceiverAnswer, type ReceiverRequest } from '../sink.ts';
import { sentencesOf } from '../summary.ts';

const found = z.object({
  data: z.array(z.object({ name: z.string(), artifacts: z.object({ totalCount: z.number() }).optional() })),
});
const uploaded = z.object({ fileKey: z.string() });
const created = z.object({ artifactsRequested: z.number(), artifactsCreated: z.number() });

/** Adds a snapshot to the evidence library, with its files, as one item that is never written over. */
export const drata: Kind<SettingsOf<'drata'>> = {
  replaces: false,
  items: () => [{ key: 'evidence', label: 'Evidence with its files' }],
  sender({ settings: { url, workspaceId, ownerId, controlIds }, secret }, sink) {
    sink.hide(secret);
    const ask = ({
      path,
      ...rest
    }: Omit<ReceiverRequest, 'url' | 'message'> & { path: string }): Promise<ReceiverAnswer> =>
      sink.ask({
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
      const form = createFormData();
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
        const wanted = files.length + 1;
        const search = new URLSearchParams({ name, 'expand[]': 'artifacts' });
        const { data } = expected(found, (await ask({ method: 'GET', path: `evidence?${search}` })).json);
        const there = data.find((one) => one.name === name);
        if (there) {
          refusePart(there.artifacts?.totalCount ?? wanted, wanted);
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
          description: sentencesOf(snapshot).slice(0, 30_000),
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
        refusePart(artifactsCreated, artifactsRequested);
        return { state: 'sent', message: `Added as “${name}” with ${wanted} artifacts.` };
      },
    };
  },
};

/** Drata has no keys for what is sent twice: the name is what it is found by. */
const nameOf = ({ manifest }: FrozenSnapshot, id: string): string => `${manifest.name} (Sightline ${id.slice(0, 13)})`;

function refusePart(there: number, wanted: number): void {
  if (there >= wanted) return;
  throw new NotTaken(
    'never',
    `The evidence at Drata has only ${there} of ${wanted} artifacts. Delete it there and send it again.`,
  );
}

interface UploadFile {
  name: string;
  type: string;
  content: Uint8Array<ArrayBuffer>;
}

/** Of kinds that Drata takes as artifacts; the bundle holds all the others. */
function filesOf({ file, bundle }: FrozenSnapshot): UploadFile[] {
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
  if (!read.success) throw new NotTaken('never', 'Drata returned an unsupported response.');
  return read.data;
}
