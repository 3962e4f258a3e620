import { uploadSarif } from '@sightline/contract/vulnerabilities/scans.ts';
import { endpointCase, repositoryParams } from '../../../architecture/endpoint-case.ts';

/** A SARIF log with one result. */
const sarifLog = () => ({
  version: '2.1.0',
  runs: [
    {
      tool: { driver: { name: 'House' } },
      results: [
        {
          ruleId: 'door/open',
          message: { text: 'The door is open.' },
          locations: [{ physicalLocation: { artifactLocation: { uri: 'door.ts' }, region: { startLine: 1 } } }],
        },
      ],
    },
  ],
});

export const endpointCases = [
  endpointCase(uploadSarif, {
    request: (names) => ({
      params: repositoryParams(names),
      query: { ref: 'refs/heads/main', category: 'seed' },
      file: sarifLog(),
    }),
    // An upload covers the repositories of all members: access to own repositories does not suffice.
    access: { allows: ['owner'], foreign: 404, accepts: 'accessKeys' },
    writes: ['scan.imported'],
    auditing: {
      // The file is stored before it is imported. The response contains the failed scan.
      status: 202,
      // The failed scan remains, with its reason, as the latest of its scanner, and so does the name of the scanner.
      // On a slow machine the response is sent before the import ends, so the upload and its job still exist.
      traces: [
        ...['scan', 'scan_latest', 'finding_tool', 'ledger_pending', 'scan_result', 'scan_text'],
        ...['scan_upload', 'scan_upload_piece', 'jobs'],
      ],
    },
  }),
];
