import type { FrameworkData } from './framework.ts';

export const sp80053: FrameworkData = {
  name: 'NIST SP 800-53 Rev. 5',
  source: 'https://doi.org/10.6028/NIST.SP.800-53r5',
  titles: 'published',
  requirements: [
    [
      'AC-2',
      'Account Management',
      [
        [
          ['ACC-01'],
          'Activity and access on code hosts are attributed to active members. It does not cover other systems.',
        ],
        [['ACC-02'], 'Roles of members and accounts on code hosts are reviewed every quarter.'],
      ],
    ],
    ['AC-3', 'Access Enforcement', 'Enforcement at systems is outside the recorded data.'],
    [
      'AC-5',
      'Separation of Duties',
      [
        [['CHG-03'], 'Authors do not merge alone.'],
        [['EXC-01'], 'Requesters do not approve their own waivers.'],
      ],
    ],
    ['AC-6', 'Least Privilege', 'The need for a permission is not decided by a recorded fact.'],
    [
      'AC-6(7)',
      'Review of User Privileges',
      [[['ACC-02'], 'The role of each member and every permission on code hosts are reviewed each quarter.']],
    ],
    ['AU-2', 'Event Logging', 'Logs of systems are outside the recorded data.'],
    [
      'AU-6',
      'Audit Record Review, Analysis, and Reporting',
      [[['DIG-01'], 'A person reviews the recorded changes of each week. It does not cover logs of systems.']],
    ],
    [
      'AU-9',
      'Protection of Audit Information',
      'Logs of systems are outside the recorded data; LOG-01 is about the ledger of Sightline.',
    ],
    ['AU-11', 'Audit Record Retention', 'Logs of systems are outside the recorded data.'],
    ['AU-12', 'Audit Record Generation', 'Logs of systems are outside the recorded data.'],
    [
      'CA-7',
      'Continuous Monitoring',
      [
        [['LOG-01'], 'Shows each day that the records behind the evaluations are complete.'],
        [['DIG-01'], 'Results are reviewed every week.'],
      ],
    ],
    ['CM-2', 'Baseline Configuration', 'Configurations of systems are outside the recorded data.'],
    [
      'CM-3',
      'Configuration Change Control',
      [
        [['CHG-01', 'CHG-02'], 'Changes of source code are reviewed and approved.'],
        [['CHG-06'], 'The request for the change is recorded.'],
      ],
    ],
    [
      'CM-3(2)',
      'Testing, Validation, and Documentation of Changes',
      [[['CHG-05'], 'Required checks passed before the merge.']],
    ],
    ['CM-4', 'Impact Analyses', 'The analysis of impacts is outside the recorded data.'],
    [
      'CM-5',
      'Access Restrictions for Change',
      [[['CHG-02', 'CHG-04'], 'Branches accept changes through pull requests only, and have no bypass.']],
    ],
    [
      'CM-6',
      'Configuration Settings',
      [[['CHG-04'], 'The settings of branch protection are compared with the required ones every day.']],
    ],
    [
      'CM-7(5)',
      'Authorized Software — Allow-by-exception',
      [[['TOL-01'], 'Compares tools of developers in use with the approved ones.']],
    ],
    ['CM-8', 'System Component Inventory', 'Components of systems are outside the recorded data.'],
    ['CM-11', 'User-installed Software', [[['TOL-01'], 'Shows the use of tools that are not approved.']]],
    ['CM-14', 'Signed Components', 'Signatures of components are outside the recorded data.'],
    [
      'IA-2',
      'Identification and Authentication (Organizational Users)',
      'Sign-in at systems is outside the recorded data.',
    ],
    ['IA-5', 'Authenticator Management', 'Authenticators of systems are outside the recorded data.'],
    [
      'IA-5(7)',
      'No Embedded Unencrypted Static Authenticators',
      [[['VUL-02'], 'Secrets found in source code are remediated.']],
    ],
    ['IR-4', 'Incident Handling', 'Incidents are outside the recorded data.'],
    [
      'PS-4',
      'Personnel Termination',
      [
        [
          ['ACC-01'],
          'Former members lose access to code hosts within the limit, and commit, review and merge nothing.',
        ],
      ],
    ],
    [
      'RA-5',
      'Vulnerability Monitoring and Scanning',
      [
        [['SCN-01', 'SCN-02'], 'Scanners of source code ran at merges and regularly.'],
        [['VUL-01'], 'Findings are remediated within their limit.'],
      ],
    ],
    ['RA-7', 'Risk Response', [[['EXC-01'], 'Accepted risks are approved and expire.']]],
    ['SA-3', 'System Development Life Cycle', 'The life cycle is a document.'],
    [
      'SA-10',
      'Developer Configuration Management',
      [
        [['CHG-02'], 'Changes are tracked from their pull request to the branch.'],
        [['CHG-06'], 'Changes reference their request.'],
      ],
    ],
    [
      'SA-11',
      'Developer Testing and Evaluation',
      'The plan of tests is a document; required checks may be of any kind.',
    ],
    ['SA-11(1)', 'Static Code Analysis', [[['SCN-01'], 'Changed source code is scanned at its merge.']]],
    ['SA-11(4)', 'Manual Code Reviews', [[['CHG-01', 'AI-01'], 'Another person reviewed the code.']]],
    [
      'SA-15',
      'Development Process, Standards, and Tools',
      [[['TOL-01'], 'Tools of developers in use are identified and approved.']],
    ],
    ['SI-2', 'Flaw Remediation', [[['VUL-01'], 'Findings are fixed within the limit of their severity.']]],
    ['SI-4', 'System Monitoring', 'Systems are outside the recorded data.'],
    ['SI-7', 'Software, Firmware, and Information Integrity', 'Installed software is outside the recorded data.'],
    ['SR-3', 'Supply Chain Controls and Processes', 'Suppliers are outside the recorded data.'],
    ['SR-4', 'Provenance', 'The origin of components is outside the recorded data.'],
  ],
};
