import type { FrameworkData } from './framework.ts';

export const pci: FrameworkData = {
  name: 'PCI DSS 4.0.1',
  source: 'https://www.pcisecuritystandards.org/document_library/',
  titles: 'short',
  requirements: [
    ['6.2.1', 'Secure development of software', 'Development standards are a document.'],
    ['6.2.2', 'Training of developers', 'Training is outside the recorded data.'],
    [
      '6.2.3',
      'Code review before release',
      [[['CHG-01', 'AI-01'], 'Changes are approved by another person before they reach the branch.']],
    ],
    ['6.2.3.1', 'Independent manual code review', [[['CHG-03'], 'The reviewer is not the author.']]],
    ['6.2.4', 'Prevention of common software attacks', 'A scan or a check does not prove that attacks are prevented.'],
    [
      '6.3.1',
      'Vulnerability identification and ranking',
      [[['SCN-01', 'SCN-02'], 'Scanners identify vulnerabilities and rank them by severity.']],
    ],
    ['6.3.2', 'Inventory of software components', 'Sightline lists tools of developers, not components of software.'],
    [
      '6.3.3',
      'Security patches and updates',
      [[['VUL-01'], 'Findings, including those of dependencies, are fixed within their limit.']],
    ],
    ['6.4.1', 'Protection of public web applications', 'Operation of web applications is outside the recorded data.'],
    [
      '6.4.2',
      'Automated protection of public web applications',
      'Operation of web applications is outside the recorded data.',
    ],
    ['6.4.3', 'Management of payment page scripts', 'Payment pages are outside the recorded data.'],
    [
      '6.5.1',
      'Change control procedures',
      [
        [['CHG-01', 'CHG-02', 'CHG-04'], 'Changes are approved, and the branch enforces it.'],
        [['CHG-05'], 'Changes are tested before the merge.'],
        [['CHG-06'], 'The reason of the change is recorded.'],
      ],
    ],
    [
      '6.5.2',
      'Confirmation after significant changes',
      'The confirmation of requirements is outside the recorded data.',
    ],
    ['6.5.3', 'Separation of environments', 'Environments are outside the recorded data.'],
    ['6.5.4', 'Separation of roles between environments', 'Environments are outside the recorded data.'],
    ['6.5.5', 'Live account numbers in pre-production', 'Test data is outside the recorded data.'],
    ['6.5.6', 'Removal of test data and accounts', 'Test data is outside the recorded data.'],
    ['7.2.1', 'Access control model', 'The access model is a document.'],
    ['7.2.2', 'Assignment of access', 'The assignment by job function is outside the recorded data.'],
    [
      '7.2.4',
      'User access reviews',
      [
        [
          ['ACC-02'],
          'The access of each member and account on code hosts is reviewed every quarter, within the required six months.',
        ],
      ],
    ],
    ['7.2.5', 'Application and system accounts', 'Accounts of systems are outside the recorded data.'],
    ['8.2.1', 'Unique user IDs', 'Accounts of systems are outside the recorded data.'],
    [
      '8.2.4',
      'User ID lifecycle management',
      [[['ACC-01'], 'Only active members act and have access on code hosts. It does not cover other systems.']],
    ],
    [
      '8.2.5',
      'Revocation of access for terminated users',
      [
        [
          ['ACC-01'],
          'Former members lose access to code hosts within the limit, and commit, review and merge nothing.',
        ],
      ],
    ],
    ['8.2.6', 'Inactive user accounts', 'The last use of accounts of systems is outside the recorded data.'],
    ['8.4.2', 'Multi-factor authentication', 'Sign-in at systems is outside the recorded data.'],
    ['8.6.2', 'No hard-coded secrets', [[['VUL-02'], 'Secrets found in source code are remediated.']]],
    ['8.6.3', 'Protection of passwords of system accounts', 'Accounts of systems are outside the recorded data.'],
    ['10.2.1', 'Audit logs of systems', 'Logs of systems are outside the recorded data.'],
    ['10.3.2', 'Protection of audit logs', 'Logs of systems are outside the recorded data.'],
    ['10.3.4', 'Change detection for audit logs', 'Logs of systems are outside the recorded data.'],
    ['10.4.1', 'Daily review of audit logs', 'Digests are weekly, and the review is daily.'],
    ['10.5.1', 'Retention of audit logs', 'Logs of systems are outside the recorded data.'],
    ['10.6.1', 'Time synchronization', 'Clocks of systems are outside the recorded data.'],
    ['10.7.2', 'Failures of critical security controls', 'Security systems are outside the recorded data.'],
    ['11.3.1', 'Internal vulnerability scans', 'Scans of networks are outside the recorded data.'],
    ['11.4.1', 'Penetration testing', 'Penetration tests are outside the recorded data.'],
    ['12.3.1', 'Targeted risk analysis', [[['EXC-01'], 'Each accepted risk has a reason, an expiry and an approver.']]],
  ],
};
