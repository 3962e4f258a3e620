import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js';
import formats from 'ajv-formats';
import { ocsfSchemas } from './ocsf-schema.ts';

const ajv = new Ajv2020({ allErrors: true, strictTypes: false, strictRequired: false });
formats.default(ajv);
const validators = new Map<number, ValidateFunction>(
  Object.entries(ocsfSchemas).map(([uid, schema]) => [Number(uid), ajv.compile(schema)]),
);

/** Where an event differs from the schema of its class; empty for a valid one. */
export function problemsOf(event: Readonly<Record<string, unknown>>): string[] {
  const validate = validators.get(Number(event.class_uid));
  if (!validate) return [`There is no class ${event.class_uid}`];
  return validate(event)
    ? []
    : (validate.errors ?? []).map(({ instancePath, message }) => `${instancePath} ${message}`);
}
