import { z } from 'zod';
import { Refusal } from '#core/errors.ts';
import { type Outbound, retryAfterSeconds } from '#core/outbound.ts';
import { HostFailed, HostLimited, HostRefused } from '#providers/code-host.ts';
import type { HostCopilot } from '#providers/host-copilot.ts';
import type { GithubApi } from './client.ts';
import { copilotReadingFrom, itemsOfFile } from './copilot-shapes.ts';

const MAX_FILE_BYTES = 16 * 1024 * 1024;
const MAX_FILES = 10;
const DOWNLOAD_MS = 30_000;
// The version of the API that describes these reports.
const version = { 'x-github-api-version': '2026-03-10' };

const links = z.object({
  download_links: z.array(z.string()).min(1).max(MAX_FILES),
  report_day: z.iso.date(),
});

/**
 * Reads usage reports of Copilot: https://docs.github.com/en/rest/copilot/copilot-usage-metrics. A download link is signed and
 * grants access to the report, so that it is in no message.
 */
export const createCopilot = (apiFor: (id: string) => GithubApi): HostCopilot => ({
  async readDay({ installationId, organization, outbound }, day) {
    const answer = await apiFor(installationId)('GET /orgs/{org}/copilot/metrics/reports/organization-1-day', {
      org: organization,
      day,
      headers: version,
    }).catch((error: unknown) => {
      if (error instanceof HostRefused && error.status === 404) return { data: undefined };
      throw error;
    });
    // 204: an empty body.
    if (answer.data === undefined || answer.data === '') return undefined;
    const { download_links: files, report_day: reported } = links.parse(answer.data);
    if (reported !== day) throw new HostFailed(`GitHub answered with the Copilot report of ${reported} for ${day}`);
    const items: unknown[] = [];
    for (const file of files) for (const item of itemsOfFile(await download(outbound, file))) items.push(item);
    return copilotReadingFrom(items, day);
  },
});

async function download(outbound: Outbound, link: string): Promise<string> {
  const limits = { timeout: DOWNLOAD_MS, size: MAX_FILE_BYTES };
  const { status, headers, body } = await outbound.fetch('download_links', link, {}, limits).catch((error: unknown) => {
    throw downloadFailureFrom(error);
  });
  if (status === 200) return body;
  if (status === 429 || status === 503) {
    const seconds = retryAfterSeconds(headers);
    if (seconds > 0) throw new HostLimited(new Date(Date.now() + seconds * 1000));
  }
  throw new HostFailed(`The download of the Copilot report was answered with ${status}`);
}

/** Without the name of the host, which the link contains. */
function downloadFailureFrom(error: unknown): unknown {
  if (!(error instanceof Refusal)) return error;
  const reason = error.extra.details?.[0]?.message ?? error.extra.cause ?? '';
  return new HostFailed(
    error.code === 'upstream_failed'
      ? `The Copilot report could not be downloaded. ${reason}`.trim()
      : `The address of the Copilot report ${reason}`.trim(),
  );
}
