import { z } from 'zod';
import type { PartResult } from '../scanner-connector.ts';
import type { CheckmarxClient } from './client.ts';
import { describeQueries } from './descriptions.ts';
import { readResultPages } from './reads.ts';
import { checkmarxResultFrom, isApiSecurity } from './results.ts';

/** Reads the results of a scan with their part and the descriptions of their queries, page by page. */
export async function* readPartResults(
  client: CheckmarxClient,
  projectId: string,
  scanId: string,
): AsyncGenerator<PartResult[]> {
  const link = { baseURL: client.baseURL, projectId };
  let position = 0;
  for await (const page of readResultPages(client, scanId)) {
    const descriptions = await describeQueries(client, queriesIn(page));
    const first = position;
    position += page.length;
    yield page.map((raw, index) => {
      const result = checkmarxResultFrom(raw, first + index, link, descriptions);
      if (!('category' in result)) return { part: null, result };
      return { part: isApiSecurity(typeIn(raw)) ? 'apisec' : result.category, result };
    });
  }
}

const typeIn = (raw: unknown): string => {
  if (typeof raw !== 'object' || raw === null) return '';
  return 'risk_id' in raw ? 'apisec' : 'type' in raw ? String(raw.type) : '';
};

const sastResult = z.object({
  type: z.string().regex(/^sast$/i),
  data: z.object({ queryId: z.union([z.string(), z.number()]) }),
});

function queriesIn(page: readonly unknown[]): string[] {
  const ids = page.flatMap((raw) => {
    const parsed = sastResult.safeParse(raw);
    return parsed.success ? [String(parsed.data.data.queryId)] : [];
  });
  return [...new Set(ids)];
}
