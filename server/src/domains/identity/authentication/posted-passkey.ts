import { z } from 'zod';

const posted = z.object({ passkey: z.string().max(20_000) });
const json = z.record(z.string(), z.unknown());

/** The passkey response in a posted form; empty if it is not valid JSON. */
export function parsePostedPasskey(body: unknown): Record<string, unknown> {
  try {
    return json.parse(JSON.parse(posted.parse(body).passkey));
  } catch {
    return {};
  }
}
