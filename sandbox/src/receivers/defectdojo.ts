import type { FastifyInstance } from 'fastify';
import { enableMultipartForms, fieldOf, fileOf, formOf } from './multipart.ts';
import type { DojoTest, Receivers } from './receivers.ts';

// The fields of its generic findings parser, which rejects all others.
const required = ['title', 'severity', 'description'];
const allowed = new Set([
  ...required,
  ...['date', 'cwe', 'cvssv3', 'mitigation', 'impact', 'steps_to_reproduce', 'severity_justification', 'references'],
  ...['active', 'verified', 'false_p', 'out_of_scope', 'risk_accepted', 'under_review', 'is_mitigated', 'mitigated'],
  ...['line', 'file_path', 'component_name', 'component_version', 'static_finding', 'dynamic_finding', 'service'],
  ...['unique_id_from_tool', 'vuln_id_from_tool', 'endpoints', 'files', 'tags', 'vulnerability_ids', 'cwes'],
]);
const severities = ['Critical', 'High', 'Medium', 'Low', 'Info'];

/** Simulates the reimport of reports by DefectDojo. */
export const defectdojoRoutes = (server: FastifyInstance, { dojo }: Receivers): void => {
  enableMultipartForms(server);
  server.addHook('preHandler', async (request, reply) => {
    if (request.headers.authorization === `Token ${dojo.token}`) return;
    return reply.code(401).send({ detail: 'Invalid token.' });
  });
  server.get('/api/v2/products/', async () => ({ count: 0, next: null, previous: null, results: [] }));
  server.post('/api/v2/reimport-scan/', async (request, reply) => {
    if (!dojo.mayImport) return reply.code(403).send({ detail: 'You do not have permission to perform this action.' });
    const form = formOf(request);
    if (form === undefined) return reply.code(415).send({ detail: 'Unsupported media type in request.' });
    const field = (name: string): string => fieldOf(form, name) ?? '';
    const formProblem = formProblemOf(field);
    if (formProblem) return reply.code(400).send(formProblem);
    const file = await fileOf(form);
    if (file === undefined) return reply.code(400).send({ file: ['No file was submitted.'] });
    const { findings = [] } = JSON.parse(file.content.toString()) as { findings?: Record<string, unknown>[] };
    const problem = findings.map(findingProblemOf).find((one) => one !== undefined);
    if (problem !== undefined) return reply.code(400).send({ message: problem });
    const test = testOf(dojo.tests, field('product_name'), field('engagement_name'), field('test_title'));
    test.imports += 1;
    take(test, findings, field('close_old_findings') === 'true');
    return reply
      .code(201)
      .send({ scan_type: field('scan_type'), test: dojo.tests.indexOf(test) + 1, minimum_severity: 'Info' });
  });
};

const formProblemOf = (field: (name: string) => string): object | undefined => {
  const missing = ['product_type_name', 'product_name', 'engagement_name', 'scan_type'].find(
    (name) => field(name) === '',
  );
  if (missing !== undefined) return { [missing]: ['This field is required.'] };
  if (field('scan_type') !== 'Generic Findings Import')
    return { scan_type: [`"${field('scan_type')}" is not a valid choice.`] };
  return field('auto_create_context') === 'true' ? undefined : { message: 'Engagement was not found' };
};

const findingProblemOf = (finding: Record<string, unknown>): string | undefined => {
  const missing = required.filter((name) => !(name in finding)).toSorted();
  if (missing.length > 0) return `Required fields are missing: ${missing.join()}`;
  const other = Object.keys(finding).filter((name) => !allowed.has(name));
  if (other.length > 0) return `Not allowed fields are present: ${other.join()}`;
  return severities.includes(String(finding.severity)) ? undefined : 'Unknown severity';
};

const testOf = (tests: DojoTest[], product: string, engagement: string, title: string): DojoTest => {
  const found = tests.find((one) => one.product === product && one.engagement === engagement && one.title === title);
  if (found !== undefined) return found;
  const made = { product, engagement, title, imports: 0, findings: [] };
  tests.push(made);
  return made;
};

const take = (test: DojoTest, findings: readonly Record<string, unknown>[], closesOld: boolean): void => {
  const reportedIds = new Set(findings.map((one) => String(one.unique_id_from_tool)));
  for (const one of findings) {
    const uniqueId = String(one.unique_id_from_tool);
    const state = {
      title: String(one.title),
      severity: String(one.severity),
      active: one.active !== false,
      mitigated: false,
    };
    const known = test.findings.find((other) => other.uniqueId === uniqueId);
    if (known === undefined) test.findings.push({ uniqueId, ...state });
    else Object.assign(known, state);
  }
  if (!closesOld) return;
  for (const one of test.findings) {
    if (!reportedIds.has(one.uniqueId)) Object.assign(one, { active: false, mitigated: true });
  }
};
