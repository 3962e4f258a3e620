import { X509Certificate } from 'node:crypto';
import { Invalid } from '#core/errors.ts';
import { sendOverTls, type TlsEndpoint, TlsFailed } from '#providers/tls.ts';
import { type Batch, DeliveryFailed, type Kind, type SettingsOf } from '../kind.ts';

type SyslogSettings = SettingsOf<'syslog'>;

const endpointOf = ({ host, port, certificates }: SyslogSettings): TlsEndpoint => ({ host, port, certificates });

/** Writes each event as a message of RFC 5424 over TLS (RFC 5425), framed by its length in octets. */
export const syslog: Kind<SyslogSettings> = {
  async check(outbound, settings) {
    if (settings.certificates !== '' && !areCertificates(settings.certificates)) {
      throw Invalid('settings.certificates', 'must be PEM certificates');
    }
    await outbound.check('settings.host', `https://${hostOf(settings)}`);
  },
  hostOf: (settings) => hostOf(settings),
  async deliver(outbound, { settings }, batch) {
    try {
      await sendOverTls(outbound, 'settings.host', endpointOf(settings), Buffer.from(framesOf(batch)));
    } catch (error) {
      if (error instanceof TlsFailed) throw new DeliveryFailed(error.reason);
      throw error;
    }
  },
};

const hostOf = ({ host, port }: SyslogSettings): string => `${host.includes(':') ? `[${host}]` : host}:${port}`;

// Facility 13 is the log of audits.
const facility = 13;
// The severities of OCSF as those of syslog: informational, notice, warning, error.
const severities: Record<number, number> = { 1: 6, 2: 5, 3: 4, 4: 3 };

const framesOf = ({ events, host, isTest }: Batch): string =>
  events
    .map(({ at, severityId, json }) => {
      const priority = facility * 8 + (severities[severityId] ?? 6);
      // All of it is ASCII, so that characters are octets and no byte order mark is needed.
      const message = `<${priority}>1 ${at} ${host} sightline - ${isTest ? 'audit-test' : 'audit'} - ${asciiOf(json)}`;
      return `${message.length} ${message}`;
    })
    .join('');

/** JSON with every other character escaped, which is the same JSON. */
const asciiOf = (json: string): string =>
  json.replace(/[\u007f-\uffff]/g, (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`);

function areCertificates(pem: string): boolean {
  try {
    return new X509Certificate(pem).subject !== undefined;
  } catch {
    return false;
  }
}
