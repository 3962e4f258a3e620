import type { Redaction } from './redaction.ts';
import type { BundleScope } from './scope.ts';

const redactedTexts: Readonly<Record<Exclude<Redaction, 'none'>, string>> = {
  names: 'Names of people are redacted.',
  people: 'Personal data is redacted: this bundle discloses no committed names, addresses or texts of people.',
  all: 'Personal data and names of repositories are redacted, and the PDF is omitted.',
};

const redactedParagraph = (redaction: Redaction): string =>
  redaction === 'none' ? '' : `\n${redactedTexts[redaction]}\nA disclosure key of the organization opens them.\n`;

/** Builds the README of a bundle. */
export const readme = ({ name, org, period, redaction }: BundleScope): string => `${name}
${org.name}, ${period.from} to ${period.to}

This bundle contains evidence that Sightline computed from received data about software changes. Verify it before you rely
on it:

    sightline verify BUNDLE.zip --key KEY

or open your own copy of verify.html in a browser and select this file and the key. Get the key and the program from another
source than this bundle: a key that comes with the evidence proves nothing.

manifest.json      the scope of the bundle and every file with its hash, signed by manifest.sig
evidence/          every evaluated item of each control with its facts and verdict. These items are the evidence
excluded/          every item that a parameter, such as an exemption, excluded from the population of a control
controls/          counts, parameters and sample of each control; catalog.json contains the evaluation criteria
ledger/            ledger entries with their proofs, the signed checkpoint and consistency proofs
changes.jsonl      the record of each change; its ledger entry contains the hash of the record
repositories.jsonl every repository of the code hosts, and when it was recorded
policies.jsonl     the policies of the period; waivers.jsonl contains the approved waivers
remediations.jsonl items that failed, with their owners, due dates and retests, which replace no failure
digests/           flagged items of each week as signed, and the signers
missing-evidence.json          missing evidence with reasons
csv/ oscal/        the same data for spreadsheets and programs. report.pdf, if present, is a copy for readers
${redactedParagraph(redaction)}
The ledger is tamper-evident, not immutable. It proves what Sightline received and when it was recorded. It does not prove
that the data is true, that approvers read the changes, or that an auditor must accept the evidence. An operator with the
signing key can rewrite entries that no external anchor covers.
`;
