import { Refusal } from '#core/errors.ts';

/** The error codes of RFC 7644, section 3.12, that this service returns. */
type ScimErrorType =
  | 'invalidFilter'
  | 'invalidPath'
  | 'invalidSyntax'
  | 'invalidValue'
  | 'mutability'
  | 'noTarget'
  | 'tooMany'
  | 'uniqueness';

/** A refusal in the form of the protocol. */
export class ScimError extends Error {
  override name = 'ScimError';
  readonly status: number;
  readonly scimType: ScimErrorType | undefined;
  constructor(status: number, detail: string, scimType?: ScimErrorType) {
    super(detail);
    this.status = status;
    this.scimType = scimType;
  }
}

export const invalidValue = (detail: string) => new ScimError(400, detail, 'invalidValue');
export const notFound = (id: string) => new ScimError(404, `Resource ${id} not found.`);
export const notUnique = (detail: string) => new ScimError(409, detail, 'uniqueness');

const errorSchema = 'urn:ietf:params:scim:api:messages:2.0:Error';

/** The body of a refusal. Undefined for an error that is not meant for the caller. */
export function scimErrorBody(error: unknown): { status: number; body: object } | undefined {
  if (error instanceof ScimError) {
    const { status, message: detail, scimType } = error;
    return { status, body: { schemas: [errorSchema], status: `${status}`, ...(scimType && { scimType }), detail } };
  }
  if (error instanceof Refusal) {
    return { status: error.status, body: { schemas: [errorSchema], status: `${error.status}`, detail: error.message } };
  }
  const { code = '', statusCode = 500 } = error as { code?: string; statusCode?: number };
  const known = fastifyErrors[code];
  const status = known?.[0] ?? statusCode;
  if (status >= 500) return undefined;
  const detail = known?.[1] ?? 'The request is not readable.';
  return {
    status,
    body: { schemas: [errorSchema], status: `${status}`, ...(status === 400 && { scimType: 'invalidSyntax' }), detail },
  };
}

const fastifyErrors: Record<string, [number, string]> = {
  FST_ERR_CTP_BODY_TOO_LARGE: [413, 'The body is larger than 2 MB.'],
  FST_ERR_CTP_INVALID_MEDIA_TYPE: [415, 'Send the body as application/scim+json.'],
  FST_ERR_CTP_EMPTY_JSON_BODY: [400, 'The body is empty.'],
  FST_ERR_CTP_INVALID_JSON_BODY: [400, 'The body is not valid JSON.'],
};
