import type { Endpoint } from '@sightline/contract/core/endpoint.ts';
import { errorBody, errorStatus } from '@sightline/contract/core/errors.ts';
import { expect } from 'vitest';
import { refusalsOf } from '#core/openapi.ts';
import type { TestServer } from '#testing/server.ts';
import { endpointKeyOf } from './requests.ts';

export interface SentRequest {
  url: string;
  headers?: Record<string, string>;
  payload?: string | Buffer;
}

export const jsonHeaders = { 'content-type': 'application/json' };

/** Sends a request and verifies its response against the contract. `elsewhere`: the path may not match the endpoint. */
export async function sendAndVerify(
  server: TestServer,
  {
    token,
    endpoint,
    sent,
    elsewhere = false,
  }: { token: string; endpoint: Endpoint; sent: SentRequest; elsewhere?: boolean | undefined },
): Promise<void> {
  const { statusCode, payload } = await server.app.inject({
    method: endpoint.method,
    url: sent.url,
    headers: { authorization: `Bearer ${token}`, ...sent.headers },
    ...(sent.payload !== undefined && { payload: sent.payload }),
  });
  const context = {
    endpoint: endpointKeyOf(endpoint),
    url: sent.url.slice(0, 300),
    sent: String(sent.payload).slice(0, 300),
    answer: payload.slice(0, 500),
  };
  if (statusCode < 300) return;
  const codes = [...refusalsOf(endpoint), ...(elsewhere ? (['not_found', 'validation_failed'] as const) : [])];
  expect(
    codes.map((code) => errorStatus[code]),
    JSON.stringify(context),
  ).toContain(statusCode);
  const refused = errorBody.safeParse(JSON.parse(payload));
  expect(refused.error, JSON.stringify(context)).toBeUndefined();
  if (!refused.data) return;
  const { code, details, message, cause = '' } = refused.data;
  expect([errorStatus[code], codes], JSON.stringify(context)).toEqual([statusCode, expect.arrayContaining([code])]);
  if (code === 'validation_failed') {
    expect(details?.length, JSON.stringify(context)).toBeGreaterThan(0);
    for (const detail of details ?? [])
      expect(detail, JSON.stringify(context)).toEqual({
        field: expect.stringMatching(/./),
        message: expect.stringMatching(/./),
      });
    // The message must be written by Sightline and not by a library.
    expect(message).not.toMatch(/\b(Invalid (input|option|string|number|key|value)|Too (small|big)|Unrecognized)\b/);
  }
  expect(`${message} ${cause}`).not.toMatch(
    /node_modules|\.ts:\d|\bat \S+ \(|select |insert into|syntax error|invalid input syntax|relation "/i,
  );
}
