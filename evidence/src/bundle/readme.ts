import type { BundleScope } from './scope.ts';

/** What somebody reads who unpacks a bundle. */
export const readme = ({ name, org, period, redaction }: BundleScope): string => `${name}
${org.name}, ${period.from} to ${period.to}

This is evidence that Sightline computed from what it was told about software changes. Verify it before you rely on it:

    sightline verify BUNDLE.zip --key KEY

or open verify.html of your own copy in a browser and give it this file and the key. Take the key and the program from
elsewhere than this bundle: a key that comes with the evidence proves nothing.

manifest.json      what the bundle is about, and every file with its hash; manifest.sig signs it
evidence/          every judged row of each control, with its facts and verdict. This is the evidence
controls/          each control's numbers, settings and sample; catalogue.json says by what it is judged
ledger/            the ledger's entries with their proofs, its signed checkpoint, proofs that it only grew
changes.jsonl      what is known of each change; its entry in the ledger holds the hash of it
policies.jsonl     what the organisation asked in the period; exceptions.jsonl, by whose leave it was not kept
digests/           what was flagged each week, as it was signed, and who signed it
gaps.json          what is not known, and why
csv/ oscal/        the same for spreadsheets and for programs. report.pdf, where it is there, is a copy for people
${redaction === 'people' ? '\nNothing in this bundle opens what is committed about people: names, addresses and words of people are withheld.\n' : ''}
The ledger is tamper-evident, not immutable. It proves what Sightline received and when it was written down, not that it
is true, not that people read what they approved, and not that an auditor must accept it. An operator who holds the key can
rewrite everything that nobody outside keeps a checkpoint of.
`;
