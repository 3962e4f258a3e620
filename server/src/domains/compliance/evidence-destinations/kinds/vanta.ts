import { z } from 'zod';
import { createFormData } from '#core/outbound.ts';
import type { DeliveryResult, Item, Kind, SettingsOf } from '../kind.ts';
import { below, DeliveryRejected, type ReceiverAnswer, type ReceiverRequest } from '../receiver-client.ts';
import type { SnapshotContent } from '../snapshot-content.ts';
import { summaryTextOf } from '../summary.ts';

const scopes = 'vanta-api.all:read vanta-api.all:write vanta-api.documents:upload';
/** The files of the bundle whose types Vanta accepts according to its documentation. */
const files: readonly (Item & { type: string })[] = [
  { key: 'report.pdf', label: 'Report', type: 'application/pdf' },
  { key: 'csv/controls.csv', label: 'Controls as CSV', type: 'text/csv' },
];
const submission: Item = { key: 'submit', label: 'Submission of the document' };

const tokens = z.object({ access_token: z.string().min(1) });
const documents = z.object({ title: z.string() });
const uploads = z.object({
  results: z.object({
    data: z.array(z.object({ description: z.string().nullable() })),
    pageInfo: z.object({ hasNextPage: z.boolean(), endCursor: z.string().nullable() }),
  }),
});

/** Uploads files to a document of Vanta, with a text summary as their description. */
export const vanta: Kind<SettingsOf<'vanta'>> = {
  replaces: false,
  items: ({ file }, { submit }) => [
    ...files.filter(({ key }) => file(key) !== undefined).map(({ key, label }) => ({ key, label })),
    ...(submit ? [submission] : []),
  ],
  sender({ settings: { url, clientId, documentId }, secret }, client) {
    client.redact(secret);
    const at = (path: string) => below(url, path);
    const document = `v1/documents/${encodeURIComponent(documentId)}`;
    let token: string | undefined;

    const signIn = async (): Promise<string> => {
      const body = { client_id: clientId, client_secret: secret, scope: scopes, grant_type: 'client_credentials' };
      const { json } = await client.request({
        method: 'POST',
        url: at('oauth/token'),
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify(body),
        messages: { 401: 'Vanta rejects this client ID and secret.' },
      });
      const { access_token } = expected(tokens, json, 'token');
      client.redact(access_token);
      return access_token;
    };
    const ask = async (
      question: Omit<ReceiverRequest, 'url'> & { path: string; search?: Record<string, string> },
    ): Promise<ReceiverAnswer> => {
      const { path, search = {}, ...rest } = question;
      const target = at(path);
      for (const [name, value] of Object.entries(search)) target.searchParams.set(name, value);
      const isFirst = token === undefined;
      token ??= await signIn();
      const authorized = (bearer: string): ReceiverRequest => ({
        ...rest,
        url: target,
        headers: { authorization: `Bearer ${bearer}` },
        messages: {
          403: `The application at Vanta lacks a scope: it needs ${scopes}.`,
          404: `Vanta has no document ${documentId}.`,
        },
      });
      try {
        return await client.request(authorized(token));
      } catch (error) {
        // A token is valid for an hour, or until the same client requests another one.
        if (isFirst || !(error instanceof DeliveryRejected) || error.status !== 401) throw error;
        token = await signIn();
        return client.request(authorized(token));
      }
    };
    /** Whether an upload with the ID of an item exists. */
    const isThere = async (id: string): Promise<boolean> => {
      for (let cursor: string | null = ''; cursor !== null; ) {
        const search: Record<string, string> = { pageSize: '100', ...(cursor !== '' && { pageCursor: cursor }) };
        const { json } = await ask({ method: 'GET', path: `${document}/uploads`, search });
        const { data, pageInfo } = expected(uploads, json, 'list of uploads').results;
        if (data.some(({ description }) => description?.includes(id))) return true;
        cursor = pageInfo.hasNextPage ? pageInfo.endCursor : null;
      }
      return false;
    };
    return {
      async test() {
        const { json } = await ask({ method: 'GET', path: document });
        return `Vanta has the document “${expected(documents, json, 'document').title}”.`;
      },
      async send(snapshot, { key, id }) {
        if (key === submission.key)
          return submitted(snapshot, () => ask({ method: 'POST', path: `${document}/submit` }));
        const file = files.find((one) => one.key === key);
        const content = snapshot.file(key);
        if (!file || !content) return { state: 'skipped', message: 'The bundle does not contain this file.' };
        if (await isThere(id)) return { state: 'sent', message: 'Already at Vanta.' };
        const form = await createFormData();
        const name = `${snapshot.bundle.name.replace(/\.zip$/, '')}-${key.replaceAll('/', '-')}`;
        form.append('file', new Blob([content], { type: file.type }), name);
        form.append('effectiveAtDate', snapshot.snapshot.takenAt ?? snapshot.manifest.period.to);
        form.append('description', `${summaryTextOf(snapshot)}\nSightline ${id}`);
        await ask({ method: 'POST', path: `${document}/uploads`, body: form });
        return { state: 'sent', message: `Uploaded as ${name}.` };
      },
    };
  },
};

/** Vanta counts a submitted document as passed, so only a snapshot in which all controls pass may be submitted. */
async function submitted(
  { snapshot }: SnapshotContent,
  submit: () => Promise<ReceiverAnswer>,
): Promise<DeliveryResult> {
  const open = snapshot.results.filter(({ status }) => status !== 'passing');
  if (snapshot.results.length === 0 || open.length > 0) {
    return {
      state: 'skipped',
      message: `Left as a draft: not passing: ${open.map(({ id }) => id).join(', ') || 'none'}.`,
    };
  }
  try {
    await submit();
  } catch (error) {
    // An earlier attempt has submitted the document.
    if (!(error instanceof DeliveryRejected) || error.status !== 400) throw error;
    return { state: 'sent', message: `Nothing to submit: ${error.message}` };
  }
  return { state: 'sent', message: 'Submitted: every control is passing.' };
}

function expected<T>(schema: z.ZodType<T>, json: unknown, what: string): T {
  const read = schema.safeParse(json);
  if (!read.success) throw new DeliveryRejected('rejected', `Vanta returned an unsupported ${what}.`);
  return read.data;
}
