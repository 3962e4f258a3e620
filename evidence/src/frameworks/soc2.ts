import type { FrameworkData } from './framework.ts';

export const soc2: FrameworkData = {
  name: 'SOC 2 (2017 criteria)',
  source:
    'https://www.aicpa-cima.com/resources/download/2017-trust-services-criteria-with-revised-points-of-focus-2022',
  titles: 'short',
  requirements: [
    [
      'CC3.2',
      'Risk identification and analysis',
      [[['EXC-01'], 'Each accepted risk is a waiver with a reason and an expiry that another person approved.']],
    ],
    [
      'CC3.4',
      'Assessment of changes that affect controls',
      'Changes of the business and of leadership are outside the recorded data.',
    ],
    [
      'CC4.1',
      'Monitoring of controls',
      [
        [['COV-01'], 'Shows for each committer whether the monitoring of tools was active.'],
        [['LOG-01'], 'Shows each day that the records behind the other controls are complete and unchanged.'],
        [['DIG-01'], 'A person reviews the results of the week and signs them.'],
      ],
    ],
    ['CC4.2', 'Communication of control deficiencies', 'Reports to management are outside the recorded data.'],
    [
      'CC5.1',
      'Selection of control activities',
      [
        [
          ['CHG-03', 'EXC-01'],
          'Incompatible duties are divided between persons: author and merger, requester and approver.',
        ],
      ],
    ],
    ['CC5.2', 'General controls over technology', 'The selection of technology controls is a document.'],
    ['CC5.3', 'Policies and procedures', 'The publication of policies is a document.'],
    ['CC6.1', 'Logical access security', 'Sign-in at systems and encryption are outside the recorded data.'],
    [
      'CC6.2',
      'User registration and deprovisioning',
      [
        [
          ['ACC-01'],
          'Persons without an active membership have no access to code hosts, and commit, review and merge nothing.',
        ],
        [
          ['ACC-02'],
          'The access of each member, and of each account, deploy key and app on code hosts, is confirmed or removed every quarter.',
        ],
      ],
    ],
    [
      'CC6.3',
      'Role-based access and access review',
      [
        [['ACC-01'], 'Access to code hosts ends with the membership.'],
        [['ACC-02'], 'Another person reviews the role of each member and every permission on code hosts each quarter.'],
      ],
    ],
    ['CC6.6', 'Protection against external threats', 'Network boundaries are outside the recorded data.'],
    ['CC6.7', 'Transmission of information', 'Transmission and removable media are outside the recorded data.'],
    [
      'CC6.8',
      'Prevention of unauthorized software',
      [[['TOL-01'], 'Tools of developers in use are approved. It does not cover servers.']],
    ],
    [
      'CC7.1',
      'Detection of vulnerabilities and configuration changes',
      [
        [['SCN-01', 'SCN-02'], 'Scanners ran at merges and regularly.'],
        [['VUL-01', 'VUL-02'], 'Detected vulnerabilities and secrets are followed until they are fixed.'],
        [['TOL-01'], 'Newly used tools are detected.'],
      ],
    ],
    [
      'CC7.2',
      'Monitoring for anomalies',
      [
        [['COV-01'], 'Shows which committers were not monitored.'],
        [['DIG-01'], 'A person reviews flagged changes every week.'],
      ],
    ],
    ['CC7.3', 'Evaluation of security events', 'Security incidents are outside the recorded data.'],
    [
      'CC7.4',
      'Incident response',
      [[['VUL-01'], 'Vulnerabilities are remediated within a limit. It does not cover other incidents.']],
    ],
    ['CC7.5', 'Recovery from incidents', 'Recovery is outside the recorded data.'],
    [
      'CC8.1',
      'Change management',
      [
        [['CHG-01', 'CHG-03', 'AI-01'], 'A person who did not write the change approved it.'],
        [['CHG-02', 'CHG-04'], 'Changes take the path with approval and tests, and the branch enforces it.'],
        [['CHG-05'], 'Required tests passed before the merge.'],
        [['CHG-06'], 'The request for the change is recorded.'],
      ],
    ],
    ['CC9.2', 'Vendor risk management', 'Vendors are outside the recorded data.'],
  ],
};
