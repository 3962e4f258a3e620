/**
 * Converts a result of a single-engine endpoint (`/api/sast-results`, `/api/kics-results`), which is flat and in
 * another casing, to the format of the endpoint for all engines. Returns other values unchanged.
 */
export function normalizeEngineResult(raw: unknown): unknown {
  if (typeof raw !== 'object' || raw === null || 'data' in raw) return raw;
  if ('risk_id' in raw) return apiRisk(raw as Record<string, unknown>);
  const { similarityID, cweID, queryID, compliances, ...fields } = raw as Record<string, unknown>;
  if (similarityID === undefined) return raw;
  const isCode = 'nodes' in fields;
  return {
    ...fields,
    type: isCode ? 'sast' : 'kics',
    id: fields.resultHash ?? fields.ID ?? fields.id,
    similarityId: similarityID,
    data: { ...fields, queryId: queryID, value: fields.value ?? fields.actualValue },
    vulnerabilityDetails: { cweId: cweID, compliances },
    // This field repeats the file name.
    comments: '',
  };
}

const apiRisk = ({ risk_id, name, http_method, url, discovery_date, ...fields }: Record<string, unknown>) => ({
  ...fields,
  type: 'apisec',
  id: risk_id,
  firstFoundAt: discovery_date,
  data: {
    queryName: name,
    httpMethod: http_method,
    url,
    sourceFileName: fields.source_file,
    sourceLine: fields.source_line,
    languageName: fields.language,
  },
});
