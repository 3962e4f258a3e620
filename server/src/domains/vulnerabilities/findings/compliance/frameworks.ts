/** The normalized name of a standard, with its URL. */
export interface ComplianceFramework {
  framework: string;
  url: string | null;
}

type FrameworkRule = [spelling: RegExp, name: (match: RegExpExecArray) => ComplianceFramework];

const at = (framework: string, url: string | null): ComplianceFramework => ({ framework, url });
const pci = 'https://www.pcisecuritystandards.org/document_library/';

const rules: readonly FrameworkRule[] = [
  [
    /^owasp (?:web )?top (?:10|ten)(?: web)?(?: \(?(20\d\d)\)?)?$/,
    ([, year]) => at(`OWASP Top 10${year ? ` ${year}` : ''}`, 'https://owasp.org/www-project-top-ten/'),
  ],
  [
    /^owasp (?:top (?:10|ten) api|api(?: security)? top (?:10|ten))(?: (20\d\d))?$/,
    ([, year]) => at(`OWASP API Security Top 10${year ? ` ${year}` : ''}`, 'https://owasp.org/API-Security/'),
  ],
  [
    /^owasp (?:mobile top (?:10|ten)|top (?:10|ten) mobile)(?: (20\d\d))?$/,
    ([, year]) => at(`OWASP Mobile Top 10${year ? ` ${year}` : ''}`, 'https://owasp.org/www-project-mobile-top-10/'),
  ],
  [
    /^(?:owasp )?asvs(?: v?(\d[\d.]*))?$/,
    ([, version]) =>
      at(
        `OWASP ASVS${version ? ` ${version}` : ''}`,
        'https://owasp.org/www-project-application-security-verification-standard/',
      ),
  ],
  [/^pci[ -]?dss(?: v?(\d[\d.]*))?$/, ([, version]) => at(`PCI DSS${version ? ` v${version}` : ''}`, pci)],
  [
    /^nist(?: sp)? 800[ -]?53(?: ?(?:rev\.?|revision|r) ?(\d))?$/,
    ([, revision]) =>
      at(`NIST SP 800-53${revision ? ` Rev. ${revision}` : ''}`, 'https://csrc.nist.gov/pubs/sp/800/53/r5/upd1/final'),
  ],
  [
    /^cwe(?:[ /]sans)? top 25(?: (20\d\d))?$/,
    ([, year]) => at(`CWE Top 25${year ? ` ${year}` : ''}`, 'https://cwe.mitre.org/top25/'),
  ],
  [/^sans top 25$/, () => at('SANS Top 25', 'https://www.sans.org/top25-software-errors/')],
];

// Query presets that Checkmarx reports in the list of standards.
const presets = /^(?:asa (?:mobile )?premium|base preset|top tier)$/;

/** Normalizes the name of a standard. Undefined for a scanner preset. */
export function normalizeFramework(spelled: string): ComplianceFramework | undefined {
  const plain = spelled.replace(/[\s_:]+/g, ' ').trim();
  const lower = plain.toLowerCase();
  if (plain === '' || presets.test(lower)) return undefined;
  for (const [spelling, name] of rules) {
    const match = spelling.exec(lower);
    if (match) return name(match);
  }
  return at(plain, null);
}

/**
 * Normalizes a control ID to the numbering of its standard: `A3`, `a03` and `A03:2021 Injection` of 2021 are all
 * `A03:2021`.
 */
export function normalizeControlId(framework: string, spelled: string): string {
  const control = spelled.trim();
  const year = /^OWASP Top 10 (20\d\d)$/.exec(framework)?.[1];
  const number = /^a?0?(\d{1,2})(?!\d)/i.exec(control)?.[1];
  if (year === undefined || number === undefined) return control;
  return `A${Number(year) < 2021 ? Number(number) : number.padStart(2, '0')}:${year}`;
}
