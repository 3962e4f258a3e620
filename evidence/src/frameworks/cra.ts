import type { FrameworkData } from './framework.ts';

export const cra: FrameworkData = {
  name: 'CRA (EU) 2024/2847',
  source: 'https://eur-lex.europa.eu/eli/reg/2024/2847/oj',
  titles: 'short',
  identifiers: 'I.1.2.a is Annex I, Part I, point (2)(a); I.2.1 is Annex I, Part II, point (1); 13 is Article 13.',
  requirements: [
    ['13', 'Obligations of manufacturers', 'Conformity of products is outside the recorded data.'],
    ['14', 'Reporting obligations of manufacturers', 'Reports to authorities are outside the recorded data.'],
    ['I.1.1', 'Cybersecurity appropriate to the risks', 'The risk assessment of the product is a document.'],
    [
      'I.1.2.a',
      'No known exploitable vulnerabilities',
      [
        [['SCN-01', 'SCN-02'], 'Source code is scanned at merges and regularly.'],
        [['VUL-01'], 'Findings are fixed within their limit.'],
      ],
    ],
    ['I.1.2.b', 'Secure by default configuration', 'Settings of the product are outside the recorded data.'],
    ['I.1.2.c', 'Security updates', 'Updates of products are outside the recorded data.'],
    [
      'I.1.2.d',
      'Protection from unauthorised access',
      [[['VUL-02'], 'Secrets in source code are remediated. It does not cover access to the product.']],
    ],
    ['I.1.2.f', 'Protection of integrity', 'Integrity in the product is outside the recorded data.'],
    ['I.1.2.j', 'Limited attack surfaces', 'Design of the product is outside the recorded data.'],
    ['I.1.2.l', 'Recording and monitoring of internal activity', 'Logs of the product are outside the recorded data.'],
    [
      'I.2.1',
      'Identification of vulnerabilities and components',
      [[['SCN-02'], 'Scanners identify vulnerabilities. It does not cover a bill of materials.']],
    ],
    [
      'I.2.2',
      'Remediation of vulnerabilities without delay',
      [
        [['VUL-01'], 'Findings are fixed within the limit of their severity.'],
        [['EXC-01'], 'Accepted findings are approved and expire.'],
      ],
    ],
    [
      'I.2.3',
      'Regular tests and reviews',
      [
        [['CHG-01', 'AI-01'], 'Changes are reviewed by another person.'],
        [['SCN-01', 'SCN-02'], 'Scanners ran at merges and regularly.'],
      ],
    ],
    ['I.2.4', 'Disclosure of fixed vulnerabilities', 'Publications are outside the recorded data.'],
    ['I.2.5', 'Coordinated vulnerability disclosure', 'Policies are a document.'],
    ['I.2.6', 'Contact address for vulnerabilities', 'Publications are outside the recorded data.'],
    ['I.2.7', 'Secure distribution of updates', 'Distribution is outside the recorded data.'],
    ['I.2.8', 'Dissemination of security patches', 'Distribution is outside the recorded data.'],
  ],
};
