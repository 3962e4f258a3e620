import type { FrameworkData } from './framework.ts';

export const cis: FrameworkData = {
  name: 'CIS Controls 8.1',
  source: 'https://www.cisecurity.org/controls/v8-1',
  titles: 'published',
  requirements: [
    ['2.1', 'Establish and Maintain a Software Inventory', [[['TOL-01'], 'Lists tools of developers in use.']]],
    ['2.3', 'Address Unauthorized Software', [[['TOL-01'], 'Shows the use of tools that are not approved.']]],
    ['2.5', 'Allowlist Authorized Software', [[['TOL-01'], 'Compares tools in use with the approved ones.']]],
    [
      '4.1',
      'Establish and Maintain a Secure Configuration Process',
      [[['CHG-04'], 'The configuration of branch protection is compared with the required one every day.']],
    ],
    [
      '5.1',
      'Establish and Maintain an Inventory of Accounts',
      [[['ACC-01'], 'Every account with access to code hosts is attributed to a member, or fails.']],
    ],
    [
      '6.2',
      'Establish an Access Revoking Process',
      [
        [
          ['ACC-01'],
          'Former members lose access to code hosts within the limit, and commit, review and merge nothing.',
        ],
      ],
    ],
    [
      '6.8',
      'Define and Maintain Role-Based Access Control',
      [[['ACC-02'], 'The role of each member and every permission on code hosts are reviewed each quarter.']],
    ],
    [
      '7.2',
      'Establish and Maintain a Remediation Process',
      [[['VUL-01'], 'Findings are fixed within the limit of their severity.']],
    ],
    [
      '7.7',
      'Remediate Detected Vulnerabilities',
      [[['VUL-01'], 'Findings are fixed within the limit of their severity.']],
    ],
    ['8.2', 'Collect Audit Logs', [[['COV-01'], 'Shows which committers had the extension that records tools.']]],
    ['8.10', 'Retain Audit Logs', 'Logs of systems are outside the recorded data.'],
    ['8.11', 'Conduct Audit Log Reviews', [[['DIG-01'], 'A person reviews the recorded changes of each week.']]],
    [
      '16.1',
      'Establish and Maintain a Secure Application Development Process',
      [
        [['CHG-01', 'CHG-02', 'CHG-03', 'AI-01'], 'Changes follow the process of review.'],
        [['CHG-06'], 'Changes reference their request.'],
      ],
    ],
    [
      '16.2',
      'Establish and Maintain a Process to Accept and Address Software Vulnerabilities',
      [
        [['VUL-01', 'VUL-02'], 'Vulnerabilities and secrets are remediated within their limit.'],
        [['EXC-01'], 'Accepted vulnerabilities are approved and expire.'],
      ],
    ],
    [
      '16.12',
      'Implement Code-Level Security Checks',
      [
        [['CHG-05'], 'Required checks passed before the merge.'],
        [['SCN-01', 'SCN-02'], 'Scanners analyzed the code.'],
      ],
    ],
  ],
};
