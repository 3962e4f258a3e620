import { readFile } from 'node:fs/promises';
import { accountLines } from '@sightline/evidence/bundle/accounts.ts';
import { codeHostLines } from '@sightline/evidence/bundle/code-hosts.ts';
import { nameLines } from '@sightline/evidence/bundle/names.ts';
import { redactionTexts } from '@sightline/evidence/bundle/redaction.ts';
import type { VerificationStep } from '@sightline/evidence/bundle/step.ts';
import type { VerifierInput } from '@sightline/evidence/bundle/verification-state.ts';
import { type VerificationReport, verifyBundle } from '@sightline/evidence/bundle/verify.ts';
import { countsText, statusLabels } from '@sightline/evidence/controls/verdicts.ts';
import { parseVerifier } from '@sightline/evidence/ledger/note.ts';
import { Invalid } from '#core/errors.ts';
import { areCertificates, verifyTimeStamp } from '#providers/time-stamps.ts';
import { command } from './command.ts';
import { bytesOf } from './input-file.ts';

export const verifyCommand = command({
  name: 'verify',
  description: 'Verifies an evidence bundle offline, without a server, database, account or network.',
  valueName: ['BUNDLE'],
  options: {
    key: {
      valueName: 'VKEY',
      required: true,
      description:
        'The public key of the ledger, or a file with it, from another source than the bundle. Several: separated by commas.',
    },
    previous: { valueName: 'OLD', description: 'An earlier bundle of the same ledger, which this one must continue.' },
    'disclosure-key': {
      valueName: 'FILE',
      description: 'A file of the organization that opens the names and texts that the bundle redacts.',
    },
    witness: { valueName: 'VKEY', description: 'The key of a witness whose cosignature counts, or a file with it.' },
    'tsa-ca': {
      valueName: 'FILE',
      description: 'Root certificates of a time-stamping authority (PEM) to verify the timestamp.',
    },
  },
  run: async ({ words: [path = ''], options }) => {
    const report = await verifyBundle(await bytesOf('BUNDLE', path), {
      keys: await keysOf('--key', options.key),
      witnesses: options.witness === undefined ? [] : await keysOf('--witness', options.witness),
      previous: options.previous === undefined ? undefined : await bytesOf('--previous', options.previous),
      disclosureKey:
        options['disclosure-key'] === undefined
          ? undefined
          : await bytesOf('--disclosure-key', options['disclosure-key']),
      checkTimestamp: options['tsa-ca'] === undefined ? undefined : await stampsBy(options['tsa-ca']),
    });
    return { json: { verification: report }, lines: linesOf(report), failed: !report.valid };
  },
});

/** Parses keys from an argument, or from a file with one per line. */
export async function keysOf(what: string, given: string): Promise<VerifierInput['keys']> {
  const text = given.includes('+') ? given.split(',').join('\n') : await readFile(given, 'utf8').catch(() => given);
  try {
    return text
      .split('\n')
      .filter((line) => line.trim() !== '')
      .map(parseVerifier);
  } catch (error) {
    throw Invalid(what, `is not a key: ${(error as Error).message}`);
  }
}

async function stampsBy(path: string): Promise<NonNullable<VerifierInput['checkTimestamp']>> {
  const roots = new TextDecoder().decode(await bytesOf('--tsa-ca', path));
  if (!areCertificates(roots)) throw Invalid('--tsa-ca', 'contains no PEM certificates');
  return async (stamp, of) => (await verifyTimeStamp(Buffer.from(stamp), Buffer.from(of), roots)).at.toISOString();
}

const marks: Record<VerificationStep['state'], string> = { ok: 'ok     ', failed: 'FAILED ', skipped: '-      ' };

function linesOf({ bundle, steps, controls, sentence, limits }: VerificationReport): string[] {
  return [
    ...(bundle
      ? [
          `${printable(bundle.name)}, ${printable(bundle.organization)}`,
          `${bundle.period.from} to ${bundle.period.to}${redactionTexts[bundle.redaction]}`,
          ...codeHostLines(bundle.codeHosts).map(printable),
          ...accountLines(bundle.people).map(printable),
          ...nameLines(bundle.names).map(printable),
          '',
        ]
      : []),
    ...steps.flatMap(({ number, title, state, message }) => [
      `${number}  ${marks[state]}${title}.`,
      `          ${printable(message)}`,
    ]),
    '',
    ...controls.map(({ id, status, counts }) => `${id}  ${statusLabels[status].padEnd(18)}${countsText(counts)}`),
    ...(controls.length > 0 ? [''] : []),
    printable(sentence),
    ...limits.map((limit) => `  - ${printable(limit)}`),
  ];
}

/** Replaces control characters: a name in a bundle must not move the cursor. */
export const printable = (text: string): string => text.replace(/\p{C}/gu, '\uFFFD');
