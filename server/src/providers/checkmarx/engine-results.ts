/**
 * The calls for one engine (`/api/sast-results`, `/api/kics-results`) write a result flat and in another casing than the
 * call for all of them. This makes it look like the latter's; anything else stays as it is.
 */
export function unified(raw: unknown): unknown {
  if (typeof raw !== 'object' || raw === null || 'data' in raw) return raw;
  if ('risk_id' in raw) return apiRisk(raw as Record<string, unknown>);
  const { similarityID, cweID, queryID, compliances, ...rest } = raw as Record<string, unknown>;
  if (similarityID === undefined) return raw;
  const isCode = 'nodes' in rest;
  return {
    ...rest,
    type: isCode ? 'sast' : 'kics',
    id: rest.resultHash ?? rest.ID ?? rest.id,
    similarityId: similarityID,
    data: { ...rest, queryId: queryID, value: rest.value ?? rest.actualValue },
    vulnerabilityDetails: { cweId: cweID, compliances },
    // Here it names the file again.
    comments: '',
  };
}

const apiRisk = ({ risk_id, name, http_method, url, discovery_date, ...rest }: Record<string, unknown>) => ({
  ...rest,
  type: 'apisec',
  id: risk_id,
  firstFoundAt: discovery_date,
  data: {
    queryName: name,
    httpMethod: http_method,
    url,
    sourceFileName: rest.source_file,
    sourceLine: rest.source_line,
    languageName: rest.language,
  },
});
