import { expect, test } from 'vitest';
import { redactSecrets } from './redaction.ts';

const canary = 'aio_CANARY0123456789abcdef';
const alert = {
  number: 7,
  created_at: '2026-01-02T03:04:05Z',
  html_url: 'https://github.com/octo/cat/security/secret-scanning/7',
  state: 'resolved',
  resolution: 'revoked',
  resolution_comment: `I revoked ${canary}`,
  resolved_by: { login: 'ada', bio: canary },
  secret_type: 'adafruit_io_key',
  secret_type_display_name: 'Adafruit IO Key',
  secret: canary,
  secret_prefix: canary.slice(0, 12),
  secrets: [{ value: 1, secret: canary }],
  validity: 'active',
  first_location_detected: { path: `keys/${canary}.txt`, start_line: 3, end_line: 3, line: canary },
};
const payload = {
  action: 'resolved',
  alert,
  location: { type: 'commit', details: { path: 'a.txt', start_line: 1, note: canary } },
  repository: { id: 1, description: `do not use ${canary}` },
  installation: { id: 2 },
  unheard_of: { secret: canary },
};

test.each(['secret_scanning_alert', 'secret_scanning_alert_location'])('stores %s without its secret', (event) => {
  for (const body of [JSON.stringify(payload), `payload=${encodeURIComponent(JSON.stringify(payload))}`]) {
    const redacted = redactSecrets(event, body);
    expect(redacted).not.toContain('CANARY');
    expect(JSON.parse(redacted)).toEqual({
      action: 'resolved',
      alert: {
        number: 7,
        created_at: alert.created_at,
        html_url: alert.html_url,
        state: 'resolved',
        resolution: 'revoked',
        secret_type: 'adafruit_io_key',
        secret_type_display_name: 'Adafruit IO Key',
        validity: 'active',
        first_location_detected: { path: 'keys/[secret].txt', start_line: 3, end_line: 3 },
      },
      location: { type: 'commit', details: { path: 'a.txt', start_line: 1 } },
      repository: { id: 1, description: 'do not use [secret]' },
      installation: { id: 2 },
    });
  }
});

test('keeps all other bodies exactly as signed', () => {
  const body = '{"action" : "created", "secret": "kept"}';
  expect(redactSecrets('push', body)).toBe(body);
  expect(redactSecrets('secret_scanning_scan', body)).toBe(body);
});
